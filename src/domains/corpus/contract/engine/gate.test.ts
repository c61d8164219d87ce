import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startOfDay } from '#kernel/contract/time.ts';
import { touchKind, type TouchKind } from '../dictionaries.ts';
import { gate, gateDictionary, byUrgency, type GateInput } from './gate.ts';
import { inWindow, nextOpening } from './window.ts';

const at = (text: string) => new Date(`2026-11-${text.replace(' ', 'T')}+08:00`).toISOString();

const input = (change: Partial<GateInput> = {}): GateInput => ({
  now: at('21 14:00:00'),
  touch: { touchKind: 'EDUCATION', dueAt: at('21 14:00:00'), expiresAt: at('22 14:00:00') },
  switches: [],
  run: { state: 'RUNNING', pausedUntil: null },
  patient: { alive: true, cancelled: false },
  consent: { followUp: true, marketing: true },
  hasChannel: true,
  stop: false,
  launch: null,
  itemConditions: null,
  materials: [{ enabled: true, rxMissing: false, lastSentAt: null }],
  sameMaterialGapDays: 7,
  restDays: [],
  lastHumanAt: null,
  activeGuardMin: 10,
  sent: { today: 0, in7Days: 0 },
  caps: { perDay: 3, in7Days: 10 },
  ...change,
});

const decided = (change: Partial<GateInput>) => gate(input(change)).verdict;

describe('gates', () => {
  it.each<[string, Partial<GateInput>, object]>([
    ['nothing stands against it', {}, { do: 'SEND' }],
    ['a switch', { switches: ['全局'] }, { do: 'HOLD', reason: 'KILL' }],
    [
      'a pause',
      { run: { state: 'PAUSED', pausedUntil: at('21 20:00:00') } },
      { do: 'HOLD', reason: 'PAUSED', nextTryAt: at('21 20:00:00') },
    ],
    ['an ended run', { run: { state: 'STOPPED', pausedUntil: null } }, { do: 'CANCEL' }],
    ['a death', { patient: { alive: false, cancelled: false } }, { do: 'STOP_RUN', reason: 'DECEASED' }],
    ['a cancelled record', { patient: { alive: true, cancelled: true } }, { do: 'STOP_RUN', reason: 'CANCELLED' }],
    ['a withdrawn consent', { consent: { followUp: false, marketing: true } }, { do: 'STOP_RUN', reason: 'CONSENT' }],
    ['nothing to send but a task', { materials: [], taskOnly: true }, { do: 'SKIP', reason: 'TASK' }],
    [
      'a task where no message could go',
      { materials: [], taskOnly: true, hasChannel: false, sent: { today: 3, in7Days: 10 }, lastHumanAt: at('21 13:59:00') },
      { do: 'SKIP', reason: 'TASK' },
    ],
    ['a task of a paused run', { materials: [], taskOnly: true, run: { state: 'STOPPED', pausedUntil: null } }, { do: 'CANCEL' }],
    [
      'night, a live conversation, a full day and no consent, to an automatic message',
      {
        now: at('21 23:00:00'),
        exempt: { consent: true, hours: true, activity: true, cap: true },
        consent: { followUp: false, marketing: false },
        sent: { today: 3, in7Days: 10 },
        lastHumanAt: at('21 22:59:00'),
      },
      { do: 'SEND' },
    ],
    [
      'night, to a notice that keeps the hours',
      { now: at('21 23:00:00'), exempt: { consent: true, activity: true, cap: true } },
      { do: 'HOLD', reason: 'QUIET', nextTryAt: at('22 08:30:00') },
    ],
    [
      'a switch, to an automatic message too',
      { switches: ['患者'], exempt: { consent: true, hours: true, cap: true } },
      { do: 'HOLD', reason: 'KILL' },
    ],
    [
      'a death, to an automatic message too',
      { patient: { alive: false, cancelled: false }, exempt: { consent: true } },
      { do: 'STOP_RUN', reason: 'DECEASED' },
    ],
    ['neither material nor task', { materials: [] }, { do: 'SKIP', reason: 'MATERIAL_OFF' }],
    ['no channel', { hasChannel: false }, { do: 'SKIP', reason: 'NO_CHANNEL' }],
    ['stop conditions', { stop: true }, { do: 'STOP_RUN', reason: 'STOP_CONDITION' }],
    ['launch conditions that went', { launch: false }, { do: 'SKIP', reason: 'CONDITION_LOST' }],
    ['conditions of the item', { itemConditions: false }, { do: 'SKIP', reason: 'ITEM_CONDITION' }],
    ['age', { now: at('22 14:00:01') }, { do: 'SKIP', reason: 'EXPIRED' }],
    [
      'a disabled material',
      { materials: [{ enabled: false, rxMissing: false, lastSentAt: null }] },
      { do: 'SKIP', reason: 'MATERIAL_OFF' },
    ],
    [
      'a missing prescription',
      { materials: [{ enabled: true, rxMissing: true, lastSentAt: null }] },
      { do: 'SKIP', reason: 'RX_REQUIRED' },
    ],
    [
      'the same material lately',
      { materials: [{ enabled: true, rxMissing: false, lastSentAt: at('15 09:00:00') }] },
      { do: 'SKIP', reason: 'REPEAT' },
    ],
    [
      'the same material within a minute, where no gap of days is kept',
      { sameMaterialGapDays: 0, materials: [{ enabled: true, rxMissing: false, lastSentAt: at('21 14:00:00') }] },
      { do: 'SKIP', reason: 'REPEAT' },
    ],
    [
      'the same material in the morning, where no gap of days is kept',
      { sameMaterialGapDays: 0, materials: [{ enabled: true, rxMissing: false, lastSentAt: at('21 09:00:00') }] },
      { do: 'SEND' },
    ],
    [
      'a rest day',
      { restDays: ['2026-11-21', '2026-11-22'], touch: { touchKind: 'CARE', dueAt: at('21 14:00:00'), expiresAt: at('24 14:00:00') } },
      { do: 'HOLD', reason: 'QUIET', nextTryAt: at('23 08:30:00') },
    ],
    ['somebody writing', { lastHumanAt: at('21 13:51:00') }, { do: 'HOLD', reason: 'ACTIVE', nextTryAt: at('21 14:10:00') }],
    ['the cap of the day', { sent: { today: 3, in7Days: 3 } }, { do: 'HOLD', reason: 'CAP', nextTryAt: at('22 08:30:00') }],
    ['the cap of seven days', { sent: { today: 0, in7Days: 10 } }, { do: 'HOLD', reason: 'CAP' }],
  ])('%s', (_, change, verdict) => expect(decided(change)).toMatchObject(verdict));

  it('a promotion asks for the consent to marketing, nothing else does', () => {
    const consent = { followUp: true, marketing: false };
    const touch = { ...input().touch, touchKind: 'PROMO' as const };
    expect([decided({ consent }), decided({ consent, touch })]).toEqual([{ do: 'SEND' }, { do: 'SKIP', reason: 'NO_CONSENT' }]);
  });

  it('the fourth touch of a day waits for the next morning, or is skipped where that is too late', () => {
    const sent = { today: 3, in7Days: 3 };
    const lasting = (hours: number) => ({
      ...input().touch,
      expiresAt: new Date(Date.parse(at('21 14:00:00')) + hours * 3_600_000).toISOString(),
    });
    expect(decided({ sent, touch: lasting(24) })).toEqual({ do: 'HOLD', reason: 'CAP', nextTryAt: at('22 08:30:00') });
    expect(decided({ sent, touch: lasting(12) })).toEqual({ do: 'SKIP', reason: 'CAP' });
  });

  it('a hold that ends too late is a skip: of the reasons that are none of a skip, as expired', () => {
    const touch = { ...input().touch, expiresAt: at('21 14:01:00') };
    expect(decided({ switches: ['全局'], touch })).toEqual({ do: 'SKIP', reason: 'EXPIRED' });
    expect(decided({ lastHumanAt: at('21 13:59:00'), touch })).toEqual({ do: 'SKIP', reason: 'EXPIRED' });
  });

  it('keeps what every gate saw until the one that decided', () => {
    expect(gate(input()).trace.map(({ gate: code, ok }) => `${code}${ok}`)).toEqual(gateDictionary.codes.map((code) => `${code}true`));
    expect(gate(input({ hasChannel: false })).trace.map(({ ok }) => ok)).toEqual([true, true, true, false]);
  });

  it('never sends outside the window, over a cap, without consent or past a switch, whatever else is true', () => {
    const instants = fc
      .integer({ min: Date.parse(at('20 00:00:00')), max: Date.parse(at('24 00:00:00')) })
      .map((ms) => new Date(ms).toISOString());
    fc.assert(
      fc.property(
        instants,
        fc.boolean(),
        fc.boolean(),
        fc.integer({ min: 0, max: 5 }),
        fc.integer({ min: 0, max: 12 }),
        (now, stopped, followUp, today, in7Days) => {
          const change = { now, switches: stopped ? ['全局'] : [], consent: { followUp, marketing: true }, sent: { today, in7Days } };
          if (decided(change).do !== 'SEND') return;
          expect({ stopped, followUp, window: inWindow(now), today: today < 3, week: in7Days < 10 }).toEqual({
            stopped: false,
            followUp: true,
            window: true,
            today: true,
            week: true,
          });
        },
      ),
    );
  });
});

describe('the window', () => {
  it.each([
    ['21 08:29:59', false, '21 08:30:00'],
    ['21 08:30:00', true, '22 08:30:00'],
    ['21 18:30:59', true, '22 08:30:00'],
    ['21 18:31:00', false, '22 08:30:00'],
    ['21 23:59:59', false, '22 08:30:00'],
    ['21 00:00:00', false, '21 08:30:00'],
  ])('%s: %s, next at %s', (now, open, next) => {
    expect([inWindow(at(now)), nextOpening(at(now))]).toEqual([open, at(next)]);
  });
  it('opens on the next day that may be used', () => {
    const workdays = (day: string) => (day < '2026-11-23' ? '2026-11-23' : day);
    expect(nextOpening(at('21 19:00:00'), workdays)).toBe(startOfDay('2026-11-23', '08:30'));
  });
});

it('of the waiting touches of one patient the most urgent kind goes first, then the priority, then the time', () => {
  const touch = (kind: TouchKind, priority: number, dueAt: string) => ({ touchKind: kind, priority, dueAt: at(dueAt) });
  const [education, important, early, medication] = [
    touch('EDUCATION', 5, '21 09:00:00'),
    touch('EDUCATION', 9, '21 10:00:00'),
    touch('EDUCATION', 5, '21 08:30:00'),
    touch('MEDICATION', 1, '21 14:00:00'),
  ];
  const urgency = (kind: TouchKind) => touchKind.codes.indexOf(kind);
  expect([education, important, early, medication].sort(byUrgency(urgency))).toEqual([medication, important, early, education]);
});
