/**
 * Words of places and people with whom a parcel is left, in languages of many couriers. Only beginnings that mean nothing
 * else in the text of a delivery.
 */
const words = [
  'porch|patio|doorstep|doorman|front ?door|back ?door|side ?door|at (?:the |your )?door|garage|mail ?box|mail ?room|letter ?box',
  'reception|front desk|lobby|concierge|caretaker|neighbou?r|safe ?place|shed|locker|parcel ?box|household|family member',
  'nachbar|haustür|briefkasten|ablageort|wunschort|terrasse|hausmeister|mitbewohner|familienmitglied',
  'voisin|gardien|bo[iî]te aux lettres|vecin[oa]|portero|conserje|buz[oó]n|vizinh[oa]|porteiro|portinai[oa]',
  'buren|buurman|buurvrouw|brievenbus|sąsiad|granne|nabo',
].join('|');
const spaced = new RegExp(`(?<!\\p{L})(?:${words})`, 'iu');
const unspaced = /邻居|鄰居|门口|門口|前台|保安|物业|家人|ご近所|玄関|宅配ボックス|이웃|문 ?앞|경비실|เพื่อนบ้าน|หน้าบ้าน/u;

/** Whether a courier's text says where, or with whom, a parcel was left. */
export const saysWhereLeft = (text: string): boolean => spaced.test(text) || unspaced.test(text);
