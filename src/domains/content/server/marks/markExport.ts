import { exportSource, type ExportColumn, type ExportReading } from '../../../../kernel/server/exporting/source.ts';
import { askOf } from '../../../../kernel/server/list/listExport.ts';
import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import { exportMarkList } from '../../contract/marks/calls/groups.ts';
import type { Mark, TagGroup } from '../../contract/marks/calls/shared.ts';
import { groupKinds, markColors, objectTypes, selectModes } from '../../contract/marks/dictionaries.ts';
import { markPermissions as may } from '../../contract/marks/permissions.ts';
import { markStates } from '../../contract/marks/states.ts';
import { readGroups } from './read.ts';

interface Line {
  group: TagGroup;
  mark: Mark;
}

const columns: readonly ExportColumn<Line>[] = [
  { key: 'objectType', label: '对象类型', dictionary: objectTypes, value: ({ group }) => group.objectType },
  { key: 'kind', label: '类型', dictionary: groupKinds, value: ({ group }) => group.kind },
  { key: 'groupName', label: '标签组', width: 18, value: ({ group }) => group.groupName },
  { key: 'selectMode', label: '选择方式', dictionary: selectModes, value: ({ group }) => group.selectMode },
  { key: 'markCode', label: '标签编码', value: ({ mark }) => mark.markCode },
  { key: 'markName', label: '标签名称', width: 18, value: ({ mark }) => mark.markName },
  { key: 'color', label: '颜色', dictionary: markColors, value: ({ mark }) => mark.color },
  { key: 'description', label: '描述', width: 30, value: ({ mark }) => mark.description },
  { key: 'defaultDays', label: '默认有效天数', kind: 'int', value: ({ mark }) => mark.defaultDays },
  { key: 'objectCount', label: '对象数', kind: 'int', value: ({ mark }) => mark.objectCount },
  { key: 'state', label: '状态', dictionary: markStates.dictionary, value: ({ mark }) => mark.state },
];

/** A mark a line, as the page shows them. */
async function linesOf(reading: ExportReading<CheckedInputOf<typeof exportMarkList>>): Promise<Line[]> {
  const groups = await readGroups(reading.db, askOf(reading), reading.filter);
  return groups.flatMap((group) => group.marks.map((mark) => ({ group, mark })));
}

export const markExport = exportSource({
  call: exportMarkList,
  title: '标签',
  routeKey: 'markContent.marks',
  permission: may['content.export'].code,
  columns,
  count: async (reading) => (await linesOf(reading)).length,
  async *chunks(reading) {
    yield await linesOf(reading);
  },
});
