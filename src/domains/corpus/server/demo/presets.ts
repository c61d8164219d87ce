import type { basicOperators } from '#kernel/contract/rules/rule.ts';
import type { SendTarget, TimeOption, TouchKind } from '../../contract/dictionaries.ts';
import type { Policy } from '../../contract/scenePackageCalls.ts';

/** Variable code, operator, value, whether it takes effect (default yes), group (default 1). */
export type DemoRow = readonly [
  code: string,
  operator: (typeof basicOperators)[number],
  value: string,
  checked?: 0 | 1,
  groupNo?: 1 | 2 | 3,
];
export type DemoItem = readonly [dayOffset: number, sendTime: string, kind: TouchKind, target?: SendTarget];

export interface Preset {
  launch: readonly DemoRow[];
  stop: readonly DemoRow[];
  items: readonly DemoItem[];
  cycle?: { timeOption: TimeOption; sendTime: string; age: 10 | 20 | 30 | null; kind: TouchKind; playMode: 'SAME' | 'ROTATE' };
  policy?: Partial<Policy>;
}

const reminder: Preset['policy'] = { reentry: 'AFTER_DAYS', reentryDays: 20, priority: 8, goal: 'ORDER_PAID', goalWindowDays: 7 };

/** Ready-made packages; a scene names one and may replace its launch rows. */
export const presets = {
  /** First days after the group was opened. */
  welcome: {
    launch: [['patient.groupDays', '<=', '3']],
    stop: [],
    items: [
      [0, '09:00', 'CARE'],
      [1, '09:30', 'EDUCATION'],
      [3, '10:00', 'EDUCATION'],
      [7, '10:00', 'FORM'],
      [14, '10:00', 'CARE'],
    ],
    policy: { goal: 'REPLY', goalWindowDays: 3, endAfterDays: 30 },
  },
  /** The medicine runs out. */
  rebuy: {
    launch: [
      ['patient.medicineDaysLeft', '<=', '5'],
      ['patient.purchaseCount', '>=', '1'],
    ],
    stop: [['patient.medicineDaysLeft', '>', '20']],
    items: [
      [0, '09:00', 'MEDICATION'],
      [2, '09:00', 'MEDICATION'],
      [4, '16:30', 'CARE'],
    ],
    policy: reminder,
  },
  /** Long since bought, though the patient is under treatment. */
  lapsed: {
    launch: [
      ['patient.daysSincePurchase', '>=', '25'],
      ['patient.daysSinceReply', '>', '7', 0],
      ['patient.treatmentLine', '>=', '1', 1, 2],
    ],
    stop: [['patient.daysSincePurchase', '<', '3']],
    items: [
      [0, '10:30', 'CARE'],
      [5, '10:30', 'MEDICATION'],
    ],
    policy: reminder,
  },
  /** A value out of range is watched every other day. */
  control: {
    launch: [['patient.hba1c', 'range', '7,9']],
    stop: [['patient.hba1c', '<', '6.5']],
    items: [
      [0, '08:30', 'EDUCATION'],
      [30, '08:30', 'CHECK'],
    ],
    cycle: { timeOption: 'EVERY_OTHER_DAY', sendTime: '09:00', age: null, kind: 'EDUCATION', playMode: 'ROTATE' },
    policy: { pauseOnPatientReply: true, pauseHours: 24, resumeMode: 'SHIFT', goal: 'INSPECTION', goalWindowDays: 14 },
  },
  revisit: {
    launch: [['patient.daysSinceRevisit', '>=', '80']],
    stop: [['patient.daysSinceRevisit', '<', '7']],
    items: [
      [0, '10:00', 'REVISIT'],
      [3, '10:00', 'REVISIT'],
      [7, '15:00', 'REVISIT'],
    ],
    policy: { goal: 'REVISIT', goalWindowDays: 14, calendarMode: 'WORKDAY', priority: 7 },
  },
  check: {
    launch: [['patient.daysSinceInspection', '>=', '90']],
    stop: [['patient.daysSinceInspection', '<', '7']],
    items: [
      [0, '09:30', 'CHECK'],
      [5, '09:30', 'CHECK'],
    ],
    policy: { goal: 'INSPECTION', goalWindowDays: 14, calendarMode: 'WORKDAY' },
  },
  adverse: {
    launch: [
      ['patient.adverseGrade', '=', '1'],
      ['patient.adverseGrade', '=', '2', 1, 2],
    ],
    stop: [['patient.adverseGrade', '=', '0']],
    items: [
      [0, '09:00', 'CARE'],
      [1, '09:00', 'CARE'],
      [3, '09:00', 'FORM'],
    ],
    cycle: { timeOption: 'EVERY_DAY', sendTime: '17:00', age: 10, kind: 'CARE', playMode: 'SAME' },
    policy: { priority: 9, maxDelayHours: 6, recheckLaunch: true },
  },
  /** Neither side has written for a while. */
  silent: {
    launch: [
      ['patient.daysSinceReply', '>=', '14'],
      ['assistant.hoursSinceMessage', '>', '72'],
    ],
    stop: [['patient.daysSinceReply', '<', '2']],
    items: [
      [0, '14:00', 'CARE'],
      [7, '14:00', 'CARE'],
    ],
    policy: { goal: 'REPLY', goalWindowDays: 3, priority: 3, activeGuardMin: 30 },
  },
  /** Entered by hand only. */
  education: {
    launch: [],
    stop: [],
    items: [],
    cycle: { timeOption: 'EVERY_TWO_DAYS', sendTime: '12:00', age: 30, kind: 'EDUCATION', playMode: 'ROTATE' },
    policy: { entryMode: 'MANUAL', priority: 2 },
  },
  /** Just created. */
  empty: { launch: [], stop: [], items: [] },
} as const satisfies Record<string, Preset>;

export type PresetName = keyof typeof presets;
