import { send } from '#kernel/web/http/client.ts';
import { NOTHING } from '#kernel/web/kit/values.tsx';
import { resource } from '#kernel/web/list/ResourceList.tsx';
import { queryAssistantList, revealAssistantMobile, type AssistantRow } from '../../contract/calls/assistants.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';
import { LoadBar } from '../staffing/LoadBar.tsx';
import { refFilter } from '../services/Selects.tsx';

const showSeconds = (seconds: number | null) =>
  seconds === null ? NOTHING : seconds < 60 ? `${seconds}秒` : `${Math.round(seconds / 60)}分钟`;

/** Assistants with what they have to do today. */
export const assistantList = resource(queryAssistantList, {
  routeKey: 'helpDoctorManage',
  empty: '没有符合条件的医助，请调整筛选条件或点击“新增”',
  filters: [
    'name',
    'mobile',
    'groupName',
    'state',
    refFilter('diseaseId', 'DISEASE'),
    {
      kind: 'numbers',
      name: 'loadMin',
      options: [
        { value: '5000', label: '50%' },
        { value: '7000', label: '70%' },
        { value: '9000', label: '90%' },
        { value: '10000', label: '100%' },
      ],
    },
    {
      kind: 'numbers',
      name: 'loadMax',
      options: [
        { value: '3000', label: '30%' },
        { value: '6999', label: '70%以下' },
        { value: '9999', label: '100%以下' },
      ],
    },
  ],
  columns: [
    { key: 'assistantNo', width: 160, required: true },
    { key: 'name', width: 110, required: true },
    {
      key: 'mobile',
      masked: {
        permission: may['sensitive.reveal'],
        withReason: true,
        reveal: async (row, reason) => (await send(revealAssistantMobile, { id: row.id, reason })).value,
      },
    },
    { key: 'group', title: '分组/组长', width: 150, value: (row) => [row.groupName, row.leaderName].filter(Boolean).join(' / ') },
    { key: 'state', width: 90 },
    { key: 'leaveUntil', hidden: true },
    { key: 'dutyToday', width: 150, value: (row) => row.dutyToday.map(({ from, to }) => `${from}–${to}`).join('、') || '今日不值班' },
    { key: 'doctors', title: '绑定医生（主/备）', width: 130, align: 'right', value: (row) => `${row.primaryCount} / ${row.backupCount}` },
    { key: 'active', title: '进行中/容量', width: 110, align: 'right', value: (row) => `${row.activeCount} / ${row.capacity}` },
    { key: 'loadBp', width: 150, render: (row: AssistantRow) => <LoadBar bp={row.loadBp} /> },
    { key: 'newToday', width: 90 },
    { key: 'firstReplySec', title: '首响中位数', width: 110, align: 'right', value: (row) => showSeconds(row.firstReplySec) },
  ],
});
