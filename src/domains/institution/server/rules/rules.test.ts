import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isUscc, usccOf } from '#kernel/contract/uscc.ts';
import { boxAround, distanceM, insideRegion } from '../../contract/geometry.ts';
import { isOpenAt, overlaps, weekDayOf, weekOverlaps, type WeekHours } from '../../contract/opening.ts';
import { duplicateScore, type Comparable } from './duplicateScore.ts';
import { isLicenceNo, licenceFault, reminderDue, requiredLicences } from './licences.ts';
import { diceBp, grams, namePinyin, normName } from './normName.ts';
import { qualityOf } from './quality.ts';

const hangzhou = { province: '浙江省', city: '杭州市' };

describe('R1 names', () => {
  it.each([
    ['浙江省杭州市 第一人民医院（湖滨院区）', hangzhou, '杭州第一人民医院湖滨院区'],
    ['浙江省人民医院', hangzhou, '浙江人民医院'],
    ['杭州市人民医院', hangzhou, '杭州人民医院'],
    ['上海市第一人民医院', { province: '上海市', city: '上海市' }, '上海第一人民医院'],
    ['杭州ＡＢＣ·医院有限责任公司', hangzhou, '杭州ABC医院'],
    ['广西壮族自治区南宁市第二人民医院', { province: '广西壮族自治区', city: '南宁市' }, '南宁第二人民医院'],
  ])('%s → %s', (name, region, norm) => expect(normName(name, region)).toBe(norm));

  it('finds initials and syllables', () => expect(namePinyin('杭州市一院')).toBe('hzsyy hangzhoushiyiyuan'));
});

const hospital = (name: string, more: Partial<Comparable> = {}): Comparable => ({
  normName: name,
  nameGrams: grams(name),
  aliasNorms: [],
  uscc: null,
  licenceNo: null,
  nhsaCode: null,
  lngE6: 120_160_000,
  latE6: 30_250_000,
  phone: '',
  kind: 'GENERAL',
  parentId: null,
  ...more,
});

describe('R2 duplicates', () => {
  // 200 m to the north
  const near = { latE6: 30_250_000 + 1799 };
  it('gives the design’s example 69, and 84 with the same phone', () => {
    expect(diceBp(grams('杭州第一人民医院'), grams('第一人民医院'))).toBe(8333);
    const [a, b] = [hospital('杭州第一人民医院'), hospital('第一人民医院', near)];
    expect(duplicateScore(a, b)).toMatchObject({ score: 69, distanceM: 200 });
    expect(duplicateScore({ ...a, phone: '0571-87065701' }, { ...b, phone: '0571-87065701' }).score).toBe(84);
  });
  it.each([
    ['an equal credit code', hospital('甲医院', { uscc: 'X', lngE6: null, latE6: null }), hospital('完全不同', { uscc: 'X' }), 100],
    ['an alias', hospital('甲乙医院', { aliasNorms: ['丙丁医院'], lngE6: null, latE6: null }), hospital('丙丁医院'), 70],
    ['two campuses of one parent', hospital('甲乙医院', { parentId: '1' }), hospital('甲乙医院', { parentId: '1' }), 50],
    ['another kind', hospital('甲乙医院', { kind: 'TCM' }), hospital('甲乙医院'), 80],
    ['nothing alike', hospital('甲乙医院', { lngE6: null, latE6: null }), hospital('子丑寅卯'), 0],
  ])('weighs %s', (_what, a, b, score) => expect(duplicateScore(a, b).score).toBe(score));

  it('is symmetric and stays within 0 to 100', () => {
    const some = fc.record({
      name: fc.string({ unit: fc.constantFrom(...'杭州第一人民医院中'), minLength: 2, maxLength: 9 }),
      uscc: fc.constantFrom(null, 'A', 'B'),
      phone: fc.constantFrom('', '1'),
      kind: fc.constantFrom('GENERAL', 'TCM'),
      parentId: fc.constantFrom(null, '1'),
    });
    fc.assert(
      fc.property(some, some, (left, right) => {
        const [a, b] = [hospital(left.name, left), hospital(right.name, right)];
        const there = duplicateScore(a, b).score;
        return there === duplicateScore(b, a).score && there >= 0 && there <= 100;
      }),
    );
  });
});

describe('R4 opening', () => {
  const week: WeekHours = { 5: [{ from: 540, to: 1560 }] };
  const friday = '2026-11-20';
  it('knows the day of the week', () => expect(weekDayOf(friday)).toBe('5'));
  it.each([
    ['Saturday 01:30, the span of Friday', '2026-11-20T17:30:00.000Z', [], true],
    ['Saturday 02:00, its exclusive end', '2026-11-20T18:00:00.000Z', [], false],
    ['Saturday 01:30 although Saturday is a holiday', '2026-11-20T17:30:00.000Z', [{ day: '2026-11-21', spans: [] }], true],
    ['Friday 10:00 on a holiday of its own', '2026-11-20T02:00:00.000Z', [{ day: friday, spans: [] }], false],
    ['Friday 10:00', '2026-11-20T02:00:00.000Z', [], true],
  ])('%s', (_when, at, holidays, open) => expect(isOpenAt(at, week, holidays)).toBe(open));

  it('finds overlaps, also with the tail after midnight', () => {
    expect(
      overlaps([
        { from: 600, to: 720 },
        { from: 540, to: 601 },
      ]),
    ).toBe(true);
    expect(
      overlaps([
        { from: 600, to: 720 },
        { from: 540, to: 600 },
      ]),
    ).toBe(false);
    expect(weekOverlaps({ 7: [{ from: 540, to: 1560 }], 1: [{ from: 60, to: 300 }] })).toBe(true);
    expect(weekOverlaps({ 7: [{ from: 540, to: 1560 }], 1: [{ from: 120, to: 300 }] })).toBe(false);
  });
});

describe('R5 licences', () => {
  it('asks for what tags and capabilities need', () => {
    expect(requiredLicences(['DUAL'], ['RX'])).toEqual(['BUSINESS', 'DRUG', 'PHARMACIST', 'NHSA', 'DUAL']);
    const held = [
      { licenceType: 'BUSINESS', validTo: null, fileCount: 1 },
      { licenceType: 'DRUG', validTo: '2026-11-20', fileCount: 1 },
    ];
    expect(licenceFault(['BUSINESS', 'DRUG'], held, '2026-11-20')).toBeNull();
    expect(licenceFault(['BUSINESS', 'DRUG'], held, '2026-11-21')).toEqual({
      kind: 'EXPIRED',
      licence: '药品经营许可证',
      date: '2026-11-20',
    });
    expect(licenceFault(['PHARMACIST'], held, '2026-11-20')).toMatchObject({ kind: 'MISSING' });
  });
  it('reminds once at each mark and makes a missed one up', () => {
    expect(reminderDue('2027-01-20', [], '2026-11-21')).toBe(60);
    expect(reminderDue('2027-01-20', [60], '2026-11-22')).toBeNull();
    expect(reminderDue('2026-12-01', [60], '2026-11-21')).toBe(15);
    expect(reminderDue('2026-12-01', [60, 15], '2026-11-22')).toBeNull();
    expect(reminderDue('2026-11-20', [], '2026-11-21')).toBeNull();
  });
  it('knows licence numbers', () => {
    expect(isLicenceNo('DRUG', '浙DB5710001')).toBe(true);
    expect(isLicenceNo('DRUG', '12')).toBe(false);
  });
});

it('R6 counts what is filled', () => {
  expect(
    qualityOf({ name: '甲医院', lngE6: 1, uscc: null, adcode: '330106', level: 'L3A', departmentCount: 2, phone: '', licenceNo: 'X' }),
  ).toEqual({ scoreBp: 7000, issues: ['NO_USCC', 'NO_PHONE'] });
  expect(
    qualityOf({
      name: '甲医院（东院区）',
      lngE6: 1,
      uscc: 'X',
      adcode: '441900',
      level: 'L3A',
      departmentCount: 2,
      phone: '1',
      licenceNo: 'X',
    }),
  ).toEqual({ scoreBp: 10000, issues: ['BRACKET_CAMPUS'] });
});

describe('places', () => {
  it('keeps Shanghai out of Hangzhou', () => {
    expect(insideRegion('330106', { lngE6: 121_470_000, latE6: 31_230_000 })).toBe(false);
    expect(insideRegion('330106', { lngE6: 120_130_000, latE6: 30_260_000 })).toBe(true);
  });
  it('R7: every point within the radius lies in the box', () => {
    const point = fc.record({
      lngE6: fc.integer({ min: 74_000_000, max: 135_000_000 }),
      latE6: fc.integer({ min: 4_000_000, max: 53_000_000 }),
    });
    fc.assert(
      fc.property(
        point,
        fc.integer({ min: -500_000, max: 500_000 }),
        fc.integer({ min: -500_000, max: 500_000 }),
        fc.integer({ min: 1, max: 50_000 }),
        (at, dx, dy, radius) => {
          const other = { lngE6: at.lngE6 + dx, latE6: at.latE6 + dy };
          const box = boxAround(at, radius);
          return (
            distanceM(at, other) > radius ||
            (other.lngE6 >= box.west && other.lngE6 <= box.east && other.latE6 >= box.south && other.latE6 <= box.north)
          );
        },
      ),
    );
  });
});

it('checks the last character of a credit code', () => {
  const code = usccOf('91330106MA2AX1234');
  expect(isUscc(code)).toBe(true);
  expect(isUscc(`${code.slice(0, 17)}${code[17] === '0' ? '1' : '0'}`)).toBe(false);
});
