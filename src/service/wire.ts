import type { MerchantFields } from './port.ts';

// What the service sends (`service/README.md`). The sandbox builds its responses from these types. The client does not
// use them, because it must tolerate deviations.

export interface WireFailure {
  readonly code: string;
  readonly msg: string;
  readonly traceId: string;
}

export interface WireEnvelope<Data> extends WireFailure {
  readonly data: Data;
}

export interface WireRegistrationItem extends MerchantFields {
  readonly trackNo: string;
  readonly courierCode?: string | null;
  readonly postalCode?: string;
  readonly extendFieldMap?: { readonly phoneSuffix?: string };
}

export interface WireCheckpoint {
  readonly address: string;
  readonly eventTime: string;
  readonly eventTimeZeroUTC: string;
  readonly timezone: string;
  readonly eventDetail: string;
  readonly transitSubStatus: string;
  /** Only for instant tracking with `lang`. */
  readonly eventDetailTranslation?: string;
}

export interface WireLogisticsInfo {
  readonly courierCode: string;
  readonly courierNameCN: string;
  readonly courierNameEN: string;
  readonly courierHomePage: string;
  readonly courierTrackingLink: string;
  /** Missing in some records without events. */
  readonly trackingDetails?: readonly WireCheckpoint[];
}

/** Until the last-mile courier has the parcel, the list is empty and the other fields are missing. */
export interface WireLastMileInfo {
  readonly lmTrackNo: string | null;
  readonly openApiWayBillInfo: Partial<WireLogisticsInfo> & Required<Pick<WireLogisticsInfo, 'trackingDetails'>>;
}

interface WireExpectedDeliveryTime {
  readonly start: string;
  readonly end: string;
  readonly timezone: string;
}

export interface WireExtraInfo {
  readonly pieces?: number;
  readonly signedBy?: string;
  readonly serviceCode?: string;
  readonly dimensions?: string;
  readonly weight?: string;
}

/** Fields may be missing or null until the first successful lookup. */
export interface WireRecord extends Omit<MerchantFields, 'country'> {
  readonly id: string;
  readonly trackNo: string;
  readonly createTime: string;
  readonly nextUpdateTime: string | null;
  readonly shipFrom?: string | null;
  readonly shipTo?: string | null;
  readonly trackingStatus: string;
  readonly transitStatus: string;
  readonly transitSubStatus?: string | null;
  readonly receiptTime?: string | null;
  readonly lastTrackingTime?: string | null;
  readonly transitDays?: number | null;
  readonly stayDays?: number | null;
  readonly localLogisticsInfo?: WireLogisticsInfo;
  readonly shipmentType?: string | null;
  readonly orderTime?: string | null;
  readonly deliveredTime?: string | null;
  readonly deliveredDays?: number | null;
  readonly expectedDelivery?: string;
  readonly expectedDeliveryTime?: WireExpectedDeliveryTime;
  readonly extraInfo?: WireExtraInfo;
  readonly lastMileInfo?: WireLastMileInfo;
}

export type WireInstantRecord = Omit<WireRecord, 'id' | 'createTime' | 'nextUpdateTime'>;

export interface WirePage {
  readonly content: readonly WireRecord[];
  readonly totalElements: string;
  readonly totalPages: string;
  readonly currentPage: string;
  readonly cursor: string;
}

export interface WireRejection {
  readonly index: number;
  readonly trackNo: string;
  readonly orderNo?: string;
  readonly courierCode?: string;
  readonly error: { readonly code: string; readonly msg: string };
}

export interface WireData<Accepted> {
  readonly accepted: Accepted;
  readonly rejected: readonly WireRejection[];
}

export interface WireTrackKey {
  readonly trackNo: string;
  readonly courierCode?: string;
}

export interface WireRetrackOutcome {
  readonly success: boolean;
  /** On the service clock, `YYYY-MM-DD HH:mm:ss`. */
  readonly actualRefreshTime: string;
}

/** In callbacks, `id` is a number that is too large for a double. */
export interface WireWebhook {
  readonly data: Omit<WireRecord, 'id'> & { readonly id: number };
  readonly verify: { readonly timestamp: string; readonly signature: string };
}

export interface WireCourier {
  readonly courierCode: string | null;
  readonly courierNameCN: string | null;
  readonly courierNameEN: string | null;
  readonly courierHomePage: string | null;
}
