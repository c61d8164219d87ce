import { setTimeout as pause } from 'node:timers/promises';
import type { ExportColumn } from '#kernel/server/exporting/source.ts';
import { exportSource } from '#kernel/server/exporting/source.ts';
import { instantOf } from '#kernel/contract/time.ts';
import { exportDemoBigData } from '../../contract/calls/exports.ts';

interface DemoRow {
  no: number;
  at: string;
}

const CHUNK = 1_000;
/** 50,000 rows take about 20 seconds. */
const CHUNK_MS = 400;
const SURNAMES = ['王', '李', '张', '刘', '陈', '杨', '黄', '赵', '周', '吴', '欧阳', '诸葛'];
const GIVEN = ['建国', '秀英', '伟', '芳', '桂兰', '志强', '婷婷', '海燕', '子涵', '雨欣'];
const CITIES = ['上海市黄浦区', '北京市朝阳区', '广州市天河区', '杭州市西湖区', '成都市武侯区'];

const columns: ExportColumn<DemoRow>[] = [
  { key: 'no', label: '序号', kind: 'int', value: ({ no }) => no },
  { key: 'orderNo', label: '演示单号', width: 22, value: ({ no }) => `YS${String(20_261_121_000_000 + no)}` },
  { key: 'name', label: '姓名', sensitive: 'name', value: ({ no }) => `${SURNAMES[no % SURNAMES.length]}${GIVEN[no % GIVEN.length]}` },
  { key: 'mobile', label: '手机号', sensitive: 'mobile', width: 14, value: ({ no }) => `138${String(10_000_000 + no).padStart(8, '0')}` },
  { key: 'city', label: '所在城市', width: 18, value: ({ no }) => CITIES[no % CITIES.length] },
  { key: 'amount', label: '金额（元）', kind: 'money', value: ({ no }) => BigInt(no) * 137n },
  { key: 'ratio', label: '赔付比例', kind: 'bp', value: ({ no }) => no % 10_001 },
  { key: 'at', label: '时间', kind: 'instant', width: 20, value: ({ at }) => at },
];

/** A slow, large export for the demonstration of the download centre. */
export const demoSource = exportSource({
  call: exportDemoBigData,
  title: '演示大数据导出',
  routeKey: 'downloadList',
  permission: 'session',
  columns,
  describe: ({ rows }) => `演示数据${rows}行`,
  count: async ({ filter }) => filter.rows,
  async *chunks({ filter, now }) {
    const start = Date.parse(now);
    for (let from = 0; from < filter.rows; from += CHUNK) {
      if (filter.rows > CHUNK * 10) await pause(CHUNK_MS);
      yield Array.from({ length: Math.min(CHUNK, filter.rows - from) }, (_, index): DemoRow => ({
        no: from + index + 1,
        at: instantOf(start - (from + index) * 60_000),
      }));
    }
  },
});
