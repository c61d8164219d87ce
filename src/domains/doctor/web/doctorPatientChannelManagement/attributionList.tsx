import { resource } from '../../../../kernel/web/list/ResourceList.tsx';
import {
  funnelSteps,
  queryAttributionChangeList,
  queryAttributionTrail,
  queryDoctorChannelList,
  queryPatientChannelList,
  type AttributionRow,
  type FunnelStep,
} from '../../contract/attributionCalls.ts';
import { attributionMethods } from '../../contract/dictionaries.ts';
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
      { kind: 'text', name: 'name', label: '姓名', maxLength: 30 },
      { kind: 'text', name: 'mobile', label: '手机号', placeholder: '完整手机号', maxLength: 11 },
      channelFilter,
      { kind: 'text', name: 'sceneCodeNo', label: '场景码', maxLength: 24 },
      agentFilter,
      ...(isDoctor ? [] : [refFilter('doctorId', '经由医生', 'DOCTOR')]),
      { kind: 'dict', name: 'method', label: '归属方式', dictionary: attributionMethods, several: true },
      {
        kind: 'select',
        name: 'step',
        label: '到达环节',
        options: funnelSteps.slice(1).map((step) => ({ value: step, label: stepLabels[subjectType][step] })),
      },
      { kind: 'flag', name: 'organic', label: '自然流量' },
      { kind: 'instants', names: ['from', 'to'], label: '归属时间' },
    ],
    columns: [
      { key: 'subjectName', title: isDoctor ? '医生' : '患者', width: 120, required: true },
      { key: 'subjectNo', title: '编号', width: 176 },
      { key: 'mobileMasked', title: '手机号', width: 120 },
      { key: 'channelName', title: '渠道', width: 190, value: (row) => row.channelName ?? '自然流量' },
      { key: 'sceneCodeNo', title: '场景码', width: 170 },
      { key: 'agentName', title: '代表', width: 90 },
      ...(isDoctor ? [] : [{ key: 'viaDoctorName', title: '经由医生', width: 100 } as const]),
      { key: 'method', title: '归属方式', kind: 'dict', dictionary: attributionMethods, width: 100 },
      { key: 'scannedAt', title: '首次扫码', kind: 'time' },
      { key: 'startedAt', title: '归属时间', kind: 'time' },
      { key: 'followUp', title: '后续', width: 180, value: followUp },
      { key: 'changes', title: '变更次数', kind: 'number', width: 90 },
    ],
  });
};
export const lists = { DOCTOR: listOf('DOCTOR'), PATIENT: listOf('PATIENT') };
