import type { PollingState } from '../../watchlist/state/polling-state.ts';
import type { Company } from '../../watchlist/state/presence.ts';
import { cut } from '../text/cells.ts';
import type { Words } from './fit-header.ts';

/** Cells that the name of a host may take. */
const mostHostCells = 24;

/** What a header says; null for what there is nothing to say about. */
interface CompanyWords {
  readonly checker: Words | null;
  readonly boards: Words | null;
}

/** Who polls, and how many boards are open, where anybody else is there. */
export function companyWords({ company, isFollowing }: Pick<PollingState, 'company' | 'isFollowing'>): CompanyWords {
  if (company == null) {
    const others: Words = ['updates come from another board', 'another board updates'];
    return { checker: isFollowing ? others : null, boards: null };
  }
  const count = `${company.boards} boards`;
  const boards = company.boards > 1 ? ([count, count] as const) : null;
  const by = whoChecks(company, boards !== null);
  return { checker: by === null ? null : [`checked by ${by}`, `by ${by}`], boards };
}

function whoChecks({ checkedBy }: Company, isCompany: boolean): string | null {
  if (checkedBy === null) return null;
  if (!checkedBy.isUs) return cut(checkedBy.host, mostHostCells);
  return isCompany ? 'this board' : null;
}
