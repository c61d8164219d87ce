import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plusMs, startOfDay } from '#kernel/contract/time.ts';
import { failedPoints, lawFault, SUPPLEMENT_SENTENCE, unanswered, type Advertised } from '../adverts/law.ts';
import { ctrOf } from '../stats/calls.ts';
import { audienceFault, everybody, impersonal, mayMeet, stranger, type Audience } from './audience.ts';
import { linkFits } from './links.ts';
import { fitsPosition, positionOf } from './positions.ts';
import { firstOverfull, outOfSchedule, shownStateOf, slotText, type Schedule } from './schedule.ts';
import { budgetGives, whatShows, type Candidate } from './select.ts';

const at = (day: string, time = '00:00') => startOfDay(day, time);
const schedule = (more: Partial<Schedule> = {}): Schedule => ({
  startAt: at('2026-11-01'),
  endAt: at('2026-12-01'),
  weekdays: [],
  dailyFrom: null,
  dailyTo: null,
  ...more,
});
const candidate = (id: string, priority: number, more: Partial<Candidate> = {}): Candidate => ({
  ...schedule(),
  id,
  priority,
  audience: everybody,
  approvalUntil: null,
  capDay: null,
  capTotal: null,
  budgetLeft: null,
  ...more,
});
const NOON = at('2026-11-24', '12:00');
const look = (all: readonly Candidate[], more: object = {}) =>
  whatShows(all, { at: NOON, viewerOf: () => stranger, isOffered: () => true, seen: () => ({ today: 0, total: 0 }), maxItems: 5, ...more });

describe('what a place shows', () => {
  it('is the five of seven with the highest priority, of equals those that began last, always alike', () => {
    const seven = [
      candidate('1', 10),
      candidate('2', 50, { startAt: at('2026-11-03') }),
      candidate('3', 50, { startAt: at('2026-11-09') }),
      candidate('4', 50, { startAt: at('2026-11-06') }),
      candidate('5', 80),
      candidate('6', 90),
      candidate('7', 80),
    ];
    const shown = look(seven).filter(({ reason }) => reason === null);
    expect(shown.map(({ item }) => item.id)).toEqual(['6', '7', '5', '3', '4']);
    fc.assert(
      fc.property(fc.shuffledSubarray(seven, { minLength: 7, maxLength: 7 }), (shuffled) => {
        expect(look(shuffled)).toEqual(look(seven));
      }),
      { numRuns: 100 },
    );
    expect(look(seven).filter(({ reason }) => reason === 'OVERFLOW')).toHaveLength(2);
  });

  it('leaves out with the reason', () => {
    const reasons = (more: Partial<Candidate>, ask: object = {}) =>
      look([candidate('1', 50, more)], ask).map(({ reason, detail }) => [reason, detail])[0];
    expect(reasons({ startAt: at('2026-11-25') })).toEqual(['NOT_YET', null]);
    expect(reasons({ endAt: NOON })).toEqual(['OVER', null]);
    expect(reasons({ approvalUntil: '2026-11-23' })).toEqual(['APPROVAL', null]);
    expect(reasons({ approvalUntil: '2026-11-24' })).toEqual([null, null]);
    expect(reasons({ audience: { ...everybody, adcodes: ['320000'] } })).toEqual(['AUDIENCE', '地区']);
    expect(reasons({}, { isOffered: () => false })).toEqual(['OFF', null]);
    expect(reasons({ budgetLeft: 0 })).toEqual(['BUDGET', null]);
    expect(reasons({ capDay: 2 }, { seen: () => ({ today: 2, total: 2 }) })).toEqual(['CAP', null]);
    expect(reasons({ capDay: 2, capTotal: 3 }, { seen: () => ({ today: 0, total: 3 }) })).toEqual(['CAP', null]);
  });
});

describe('a schedule', () => {
  it.each([
    ['08:59', 'SLOT'],
    ['09:00', null],
    ['11:59', null],
    ['12:00', 'SLOT'],
  ])('of nine to noon on Tuesdays at %s: %s', (time, reason) => {
    const one = schedule({ weekdays: [2], dailyFrom: '09:00', dailyTo: '12:00' });
    expect(outOfSchedule(one, at('2026-11-24', time))).toBe(reason);
    expect(outOfSchedule(one, at('2026-11-25', time))).toBe('SLOT');
  });
  it('lasts to the last second of its hour', () => {
    expect(outOfSchedule(schedule({ dailyFrom: '09:00', dailyTo: '12:00' }), plusMs(at('2026-11-24', '11:59'), 59_999))).toBeNull();
  });
  it('says where a delivery stands', () => {
    const state = (more: object) => shownStateOf({ ...schedule(), state: 'APPROVED', spent: false, ...more }, NOON);
    expect(state({})).toBe('LIVE');
    expect(state({ startAt: at('2026-11-30') })).toBe('WAITING');
    expect(state({ endAt: NOON })).toBe('ENDED');
    expect(state({ spent: true })).toBe('ENDED');
    expect(state({ dailyFrom: '00:00', dailyTo: '12:00' })).toBe('PAUSED_SLOT');
    expect(state({ state: 'AUDITING' })).toBe('AUDITING');
  });
  it.each([
    [[], null, null, ''],
    [[1, 2, 3, 4, 5], '09:00', '12:00', '周一至周五 09:00-12:00'],
    [[6, 7], null, null, '周六、周日'],
    [[1, 3], '08:00', '24:00', '周一、周三 08:00-24:00'],
  ])('is said in words: %j %s %s', (weekdays, dailyFrom, dailyTo, text) => expect(slotText({ weekdays, dailyFrom, dailyTo })).toBe(text));

  it('finds the first moment with too many beside it', () => {
    const five = Array.from({ length: 5 }, () => schedule());
    expect(firstOverfull(schedule(), five.slice(1), 5)).toBeNull();
    expect(firstOverfull(schedule(), five, 5)).toBe(at('2026-11-01'));
    const evening = Array.from({ length: 5 }, () => schedule({ dailyFrom: '20:00', dailyTo: '22:00' }));
    expect(firstOverfull(schedule({ startAt: at('2026-11-10', '21:00') }), evening, 5)).toBe(at('2026-11-10', '21:00'));
    expect(firstOverfull(schedule({ dailyFrom: '08:00', dailyTo: '20:00' }), evening, 5)).toBeNull();
    expect(firstOverfull(schedule({ weekdays: [3] }), evening, 5)).toBe(at('2026-11-04', '20:00'));
  });
});

describe('an audience', () => {
  const jiangsu: Audience = { ...everybody, adcodes: ['320000'], marksNone: ['7'] };
  it.each([
    ['320105', null],
    ['330106', '地区'],
    [null, '地区'],
  ])('of a province without a mark, an anonymous viewer of %s: %s', (adcode, fault) => {
    expect(audienceFault(jiangsu, { ...stranger, adcode })).toBe(fault);
  });
  const known = {
    ...stranger,
    loggedIn: true,
    objectId: '9',
    marks: new Set(['1', '2']),
    realName: true,
    seenDays: 40,
    clientVersion: '3.12.0',
  };
  it.each<[string, Partial<Audience>, string | null, string | null]>([
    ['any mark', { marksAny: ['2', '5'] }, null, '含任一标签'],
    ['all marks', { marksAll: ['1', '2'] }, null, '含全部标签'],
    ['no mark', { marksNone: ['1'] }, '不含标签', null],
    ['real names', { realName: 'YES' }, null, '实名'],
    ['strangers', { loggedIn: 'NO' }, '登录', null],
    ['a version', { versionFrom: '3.9', versionTo: '3.12' }, null, '客户端版本'],
    ['newcomers', { firstSeen: { op: 'LE', days: 30 } }, '建档天数', '建档天数'],
    ['regulars', { firstSeen: { op: 'GE', days: 30 } }, null, '建档天数'],
    ['testers', { testIds: ['9'], adcodes: ['330000'], marksAny: ['5'] }, null, '地区'],
  ])('of %s', (_name, wanted, ofKnown, ofStranger) => {
    expect(audienceFault({ ...everybody, ...wanted }, known)).toBe(ofKnown);
    expect(audienceFault({ ...everybody, ...wanted }, stranger)).toBe(ofStranger);
  });
  it('counts marks for nothing where somebody does not agree', () => {
    expect(audienceFault({ ...everybody, marksAny: ['1'] }, impersonal(known))).toBe('含任一标签');
    expect(audienceFault({ ...everybody, marksNone: ['1'] }, impersonal(known))).toBeNull();
  });
  it('meets another one where their regions do', () => {
    const of = (...adcodes: string[]) => ({ ...everybody, adcodes });
    expect([mayMeet(of('320000'), of('320100')), mayMeet(of('320100'), of('330000')), mayMeet(of(), of('330000'))]).toEqual([
      true,
      false,
      true,
    ]);
  });
});

describe('the law of advertising', () => {
  const ad = (more: Partial<Advertised> = {}): Advertised => ({
    adClass: 'OTC',
    endAt: at('2026-12-01'),
    approvalNo: '国药广审（文）第250101-00001号',
    approvalUntil: '2026-12-31',
    approvalFileId: '1',
    disclaimer: '',
    texts: ['布洛芬缓释胶囊'],
    ...more,
  });
  const patients = positionOf('MP_HOME_FEED');
  it.each<[string, Partial<Advertised>, string | null]>([
    ['lawful', {}, null],
    ['prescription medicine', { adClass: 'RX' }, 'RX_TO_PATIENTS'],
    ['no number', { approvalNo: '' }, 'NO_APPROVAL'],
    ['no file', { approvalFileId: null }, 'NO_APPROVAL'],
    ['to the last day', { endAt: at('2027-01-01') }, null],
    ['beyond the last day', { endAt: plusMs(at('2027-01-01'), 1) }, 'BEYOND_APPROVAL'],
    ['a promise', { texts: ['根治失眠'] }, 'FORBIDDEN_WORDS'],
    ['a supplement without its sentence', { adClass: 'SUPPLEMENT' }, 'NO_DISCLAIMER'],
    ['a supplement with it', { adClass: 'SUPPLEMENT', disclaimer: SUPPLEMENT_SENTENCE }, null],
    ['a brand', { adClass: 'BRAND', approvalNo: '', approvalUntil: null, approvalFileId: null }, null],
  ])('%s', (_name, more, refusal) => expect(lawFault(ad(more), patients)?.refusal ?? null).toBe(refusal));
  it('lets doctors see prescription medicines', () => expect(lawFault(ad({ adClass: 'RX' }), positionOf('DR_HOME_FEED'))).toBeNull());
  it('asks every point of an audit, and takes no wrong one', () => {
    const all = { AD_WORD: 'YES', APPROVAL_SAME: 'NA', NO_ABSOLUTE: 'YES', NO_PATIENT: 'YES', LANDING_SAME: 'YES' } as const;
    expect(unanswered({ ...all, LANDING_SAME: undefined })).toBe(true);
    expect(unanswered(all)).toBe(false);
    expect(failedPoints(all, 'BRAND')).toEqual([]);
    expect(failedPoints(all, 'OTC')).toEqual(['APPROVAL_SAME']);
    expect(failedPoints({ ...all, NO_PATIENT: 'NO' }, 'BRAND')).toEqual(['NO_PATIENT']);
  });
});

describe('numbers', () => {
  it('rounds a rate half up', () => expect([ctrOf(37, 1204), ctrOf(1, 0), ctrOf(1, 20_000), ctrOf(0, 5)]).toEqual([307, null, 1, 0]));
  it('fits a picture by its ratio', () => {
    const place = positionOf('MP_HOME_BANNER');
    expect(
      [
        [750, 300],
        [1500, 600],
        [757, 300],
        [760, 300],
      ].map(([width = 0, height = 0]) => fitsPosition({ width, height }, place)),
    ).toEqual([true, true, true, false]);
  });
  it.each([
    ['NONE', '', '', true],
    ['NONE', '/x', '', false],
    ['MINI_PATH', '/pages/mall?id=1', '', true],
    ['MINI_PATH', 'pages/mall', '', false],
    ['MINI_PATH', '//evil.example.com/a', '', false],
    ['H5', 'https://www.kangqiao.com/a', '', true],
    ['H5', 'https://evil.example.com/a', '', false],
    ['H5', 'http://www.kangqiao.com', '', false],
    ['OTHER_MP', 'wx8f2a61c0d3b74e95', '/pages/a', true],
    ['OTHER_MP', 'wx0000000000000000', '', false],
  ] as const)('link %s %s: %s', (type, value, params, fits) => expect(linkFits(type, value, params)).toBe(fits));
  it('gives out the end of a budget ever more seldom', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), fc.double({ min: 0, max: 0.999, noNaN: true }), (budget, dice) => {
        expect(budgetGives(budget, budget, dice)).toBe(true);
        expect(budgetGives(0, budget, dice)).toBe(false);
      }),
    );
    expect([budgetGives(25, 1000, 0.24), budgetGives(25, 1000, 0.26)]).toEqual([true, false]);
  });
});
