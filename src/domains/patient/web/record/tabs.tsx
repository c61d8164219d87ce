import { lazy, type ComponentType } from 'react';
import { patientTabPlaces } from '#kernel/web/kit/patientPlaces.ts';
import { isFilled, Slot } from '#kernel/web/slots.tsx';
import type { PatientDetail } from '../../contract/calls/sufferer.ts';
import { patientPermissions as rights } from '../../contract/permissions.ts';
import { useRecord } from './recordScope.ts';

type May = (permission: { code: string }) => boolean;

interface RecordTab {
  key: string;
  label: string;
  shown(may: May, detail: PatientDetail): boolean;
  /** Number beside the label. */
  count?(detail: PatientDetail): number;
  content: ComponentType;
}

const record = (may: May) => may(rights['record.view']);
const place = (key: keyof typeof patientTabPlaces, label: string): RecordTab => ({
  key,
  label,
  shown: () => isFilled(patientTabPlaces[key]),
  content: function OtherDomain() {
    return <Slot of={patientTabPlaces[key]} props={{ patientId: useRecord().patientId }} />;
  },
});

/** Tabs of the record in the order of their number keys; each is fetched when it is first opened. */
export const recordTabs: readonly RecordTab[] = [
  {
    key: 'overview',
    label: '概览',
    shown: () => true,
    content: lazy(async () => ({ default: (await import('./Overview.tsx')).Overview })),
  },
  {
    key: 'history',
    label: '诊疗史',
    shown: record,
    count: ({ counts }) => counts.history,
    content: lazy(async () => ({ default: (await import('./History.tsx')).History })),
  },
  {
    key: 'suggestions',
    label: '用药建议',
    shown: record,
    count: ({ counts }) => counts.suggestions,
    content: lazy(async () => ({ default: (await import('./Suggestions.tsx')).Suggestions })),
  },
  {
    key: 'orders',
    label: '购药订单',
    shown: record,
    count: ({ counts }) => counts.orders,
    content: lazy(async () => ({ default: (await import('./Orders.tsx')).Orders })),
  },
  {
    key: 'inspections',
    label: '检查检验',
    shown: record,
    count: ({ counts }) => counts.inspections,
    content: lazy(async () => ({ default: (await import('./Inspections.tsx')).Inspections })),
  },
  {
    key: 'consents',
    label: '授权同意',
    shown: (may) => may(rights['consent.view']),
    count: ({ counts }) => counts.consents,
    content: lazy(async () => ({ default: (await import('./Consents.tsx')).Consents })),
  },
  {
    key: 'realName',
    label: '实名',
    shown: () => true,
    count: ({ counts }) => counts.checks,
    content: lazy(async () => ({ default: (await import('./RealName.tsx')).RealName })),
  },
  place('visits', '咨询记录'),
  place('followUps', '随访'),
  place('enrolments', '入组与合同'),
  place('claims', '理赔'),
  place('cards', '卡券'),
  place('tags', '标签'),
  {
    key: 'looks',
    label: '查看记录',
    shown: (may) => may(rights['access.view']),
    content: lazy(async () => ({ default: (await import('./Looks.tsx')).Looks })),
  },
];
