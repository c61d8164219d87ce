import { resource } from '#kernel/web/list/ResourceList.tsx';
import {
  funnelSteps,
  queryAttributionChangeList,
  queryAttributionTrail,
  queryDoctorChannelList,
  queryPatientChannelList,
  type AttributionRow,
  type FunnelStep,
} from '../../contract/calls/attribution.ts';
import { agentFilter, channelFilter } from '../services/onDemand.tsx';
import { refFilter } from '../services/Selects.tsx';

export const refreshes = [queryDoctorChannelList, queryPatientChannelList, queryAttributionChangeList, queryAttributionTrail];
export const stepLabels: Readonly<Record<'DOCTOR' | 'PATIENT', Readonly<Record<FunnelStep, string>>>> = {
  DOCTOR: { SCANNED: '扫码', REGISTERED: '注册', VERIFIED: '认证', FIRST_ORDER: '首单', REPEAT: '复购' },
  PATIENT: { SCANNED: '扫码', REGISTERED: '注册', VERIFIED: '实名', FIRST_ORDER: '首单', REPEAT: '复购' },
};

const followUp = (row: AttributionRow) =>
  [
    row.verified ? (row.subjectType === 'DOCTOR' ? '已认证' : '已实名') : row.subjectType === 'DOCTOR' ? '未认证' : '未实名',
    row.orders === 0 ? '无订单' : row.orders === 1 ? '已首单' : `复购（${row.orders}单）`,
  ].join(' · ');

const listOf = (subjectType: 'DOCTOR' | 'PATIENT') => {
  const isDoctor = subjectType === 'DOCTOR';
  return resource(isDoctor ? queryDoctorChannelList : queryPatientChannelList, {
    routeKey: `doctorPatientChannelManagement${isDoctor ? '' : ':patient'}`,
    empty: '没有符合条件的归属记录，请调整筛选条件',
    filters: [
      'name',
      { name: 'mobile', placeholder: '完整手机号' },
      channelFilter,
      'sceneCodeNo',
      agentFilter,
      ...(isDoctor ? [] : [refFilter('doctorId', 'DOCTOR')]),
      'method',
      {
        kind: 'select',
        name: 'step',
        options: funnelSteps.slice(1).map((step) => ({ value: step, label: stepLabels[subjectType][step] })),
      },
      'organic',
      { kind: 'instants', names: ['from', 'to'], label: '归属时间' },
    ],
    columns: [
      { key: 'subjectName', title: isDoctor ? '医生' : '患者', width: 120, required: true },
      { key: 'subjectNo', width: 176 },
      { key: 'mobileMasked', width: 120 },
      { key: 'channelName', width: 190, value: (row) => row.channelName ?? '自然流量' },
      { key: 'sceneCodeNo', width: 170 },
      { key: 'agentName', width: 90 },
      ...(isDoctor ? [] : [{ key: 'viaDoctorName', width: 100 } as const]),
      'method',
      'scannedAt',
      'startedAt',
      { key: 'followUp', title: '后续', width: 180, value: followUp },
      { key: 'changes', width: 90 },
    ],
  });
};
export const lists = { DOCTOR: listOf('DOCTOR'), PATIENT: listOf('PATIENT') };
