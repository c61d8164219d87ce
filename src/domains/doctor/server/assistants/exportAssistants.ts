import { dayOf } from '../../../../kernel/contract/time.ts';
import { exportSource, type ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { totalUpTo } from '../../../../kernel/server/http/paging.ts';
import type { Secrets } from '../../../../kernel/server/sensitive/secrets.ts';
import { exportAssistantList, type AssistantRow } from '../../contract/assistantCalls.ts';
import { doctorPermissions } from '../../contract/permissions.ts';
import { assistantMachine } from '../../contract/staffStates.ts';
import { own } from '../database.ts';
import { assistantQuery, readAssistants } from './list.ts';

const CHUNK = 500;
interface ExportRow extends AssistantRow {
  fullMobile: string;
}

const columns: readonly ExportColumn<ExportRow>[] = [
  { key: 'assistantNo', label: '医助编号', value: (row) => row.assistantNo },
  { key: 'name', label: '姓名', value: (row) => row.name },
  { key: 'mobile', label: '手机号', width: 14, sensitive: 'mobile', value: (row) => row.fullMobile },
  { key: 'groupName', label: '分组', value: (row) => row.groupName },
  { key: 'leaderName', label: '组长', value: (row) => row.leaderName },
  { key: 'state', label: '状态', dictionary: assistantMachine.dictionary, value: (row) => row.state },
  { key: 'leaveUntil', label: '请假至', kind: 'day', value: (row) => row.leaveUntil },
  { key: 'dutyToday', label: '今日值班', value: (row) => row.dutyToday.map(({ from, to }) => `${from}–${to}`).join('、') },
  { key: 'primaryCount', label: '主医助医生数', kind: 'int', value: (row) => row.primaryCount },
  { key: 'backupCount', label: '备岗医生数', kind: 'int', value: (row) => row.backupCount },
  { key: 'activeCount', label: '进行中', kind: 'int', value: (row) => row.activeCount },
  { key: 'capacity', label: '容量', kind: 'int', value: (row) => row.capacity },
  { key: 'loadBp', label: '负荷', kind: 'bp', value: (row) => row.loadBp },
  { key: 'newToday', label: '今日新增', kind: 'int', value: (row) => row.newToday },
  { key: 'firstReplySec', label: '首响中位数（秒）', kind: 'int', value: (row) => row.firstReplySec },
];

/** Mobiles leave in full only in a plain export; the cell masks them otherwise. */
export const assistantExport = (secrets: Secrets) =>
  exportSource({
    call: exportAssistantList,
    title: '医助管理',
    routeKey: 'helpDoctorManage',
    permission: doctorPermissions['assistant.export'].code,
    columns,
    count: ({ db, staff, filter }) => totalUpTo(own(db), assistantQuery(secrets, db, staff, filter)),
    async *chunks({ db, staff, filter, now }) {
      for (let offset = 0; ; offset += CHUNK) {
        // Assistants are a few hundred: pages by offset within one snapshot lose nothing.
        const rows = await readAssistants(assistantQuery(secrets, db, staff, filter), dayOf(now), { limit: CHUNK, offset });
        if (rows.length === 0) return;
        const ciphers = new Map(
          (
            await own(db)
              .selectFrom('doctorAssistant')
              .select(['id', 'mobileCipher'])
              .where(
                'id',
                'in',
                rows.map(({ id }) => id),
              )
              .execute()
          ).map(({ id, mobileCipher }) => [id, mobileCipher]),
        );
        yield rows.map((row): ExportRow => ({ ...row, fullMobile: secrets.decrypt(ciphers.get(row.id)!) }));
      }
    },
  });
