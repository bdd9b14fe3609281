import type { HeadingRow } from '../../board/list/list-rows.ts';
import { counted } from '../../board/text/counted.ts';
import type { Line } from '../../board/text/line.ts';

/** What stands in place of a timeline while the heading of a group is selected. */
export function headingLines(heading: HeadingRow): readonly Line[] {
  const { attention, isCollapsed, unread } = heading;
  const facts = [
    counted(heading.count, 'parcel'),
    ...(attention === 0 ? [] : [`${attention} of them ${attention === 1 ? 'needs' : 'need'} attention`]),
    ...(unread === 0 ? [] : [`${unread} unread`]),
  ];
  return [
    [{ text: ` ${facts.join(', ')}` }],
    [],
    [{ text: ` Enter ${isCollapsed ? 'opens' : 'collapses'} the group, Z all of them;`, tone: 'quiet' }],
    [{ text: ' { and } go from group to group.', tone: 'quiet' }],
  ];
}
