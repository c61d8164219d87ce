import { yuan } from '../../../../kernel/contract/money.ts';
import { exportSource, type ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { totalUpTo } from '../../../../kernel/server/http/paging.ts';
import { billings, careKinds, itemTypes, practiceCategories, refundRules, titles, type TitleCode } from '../../contract/dictionaries.ts';
import { exportServiceItemList, type ItemRow } from '../../contract/itemCalls.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';
import { itemMachine } from '../../contract/states.ts';
import { own } from '../database.ts';
import { itemQuery, readItems } from './rows.ts';

const CHUNK = 500;
const bandColumn = (title: TitleCode): ExportColumn<ItemRow> => ({
  key: `band${title}`,
  label: `${titles.label(title)}价格（元，最低–默认–最高）`,
  width: 34,
  value: ({ priceBands: { [title]: band } }) => band && `${yuan(band.minFen)}–${yuan(band.defaultFen)}–${yuan(band.maxFen)}`,
});
const columns: readonly ExportColumn<ItemRow>[] = [
  { key: 'itemCode', label: '编码', width: 20, value: (row) => row.itemCode },
  { key: 'name', label: '名称', width: 24, value: (row) => row.name },
  { key: 'categoryName', label: '服务分类', width: 16, value: (row) => row.categoryName },
  { key: 'itemType', label: '类型', dictionary: itemTypes, value: (row) => row.itemType },
  { key: 'careKind', label: '性质', dictionary: careKinds, value: (row) => row.careKind },
  { key: 'billing', label: '计费', dictionary: billings, value: (row) => row.billing },
  { key: 'quotaReplies', label: '回合数', kind: 'int', value: (row) => row.quotaReplies },
  { key: 'periodDays', label: '周期天数', kind: 'int', value: (row) => row.periodDays },
  { key: 'durationMin', label: '通话时长（分钟）', kind: 'int', value: (row) => row.durationMin },
  ...titles.codes.map(bandColumn),
  { key: 'acceptHours', label: '接诊时效（小时）', kind: 'int', value: (row) => row.acceptHours },
  { key: 'replyHours', label: '首响时效（小时）', kind: 'int', value: (row) => row.replyHours },
  { key: 'validHours', label: '服务有效期（小时）', kind: 'int', value: (row) => row.validHours },
  { key: 'needSlot', label: '需预约', kind: 'flag', value: (row) => row.needSlot },
  { key: 'titleMin', label: '最低职称', dictionary: titles, value: (row) => row.titleMin },
  {
    key: 'categories',
    label: '执业类别',
    width: 20,
    value: (row) => row.categories.map((category) => practiceCategories.label(category)).join('、') || '不限',
  },
  { key: 'refundRuleCode', label: '退款规则', width: 20, dictionary: refundRules, value: (row) => row.refundRuleCode },
  { key: 'openDoctors', label: '开通医生数', kind: 'int', value: (row) => row.openDoctors },
  { key: 'orders30', label: '30天订单', kind: 'int', value: (row) => row.orders30 },
  { key: 'state', label: '状态', dictionary: itemMachine.dictionary, value: (row) => row.state },
  { key: 'updatedAt', label: '更新时间', kind: 'instant', width: 20, value: (row) => row.updatedAt },
];

export const itemExport = exportSource({
  call: exportServiceItemList,
  title: '服务项目',
  routeKey: 'doctorService',
  permission: may['item.view'].code,
  columns,
  count: ({ db, filter }) => totalUpTo(own(db), itemQuery(db, filter)),
  async *chunks({ db, filter, now }) {
    for (let offset = 0; ; offset += CHUNK) {
      // Items are a few dozen: pages by offset within one snapshot lose nothing.
      const rows = await readItems(itemQuery(db, filter), now, { limit: CHUNK, offset });
      if (rows.length === 0) return;
      yield rows;
    }
  },
});
