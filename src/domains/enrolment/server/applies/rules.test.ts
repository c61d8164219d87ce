import { describe, expect, it } from 'vitest';
import { findAll, nextStep, openChecks, proposedGrade, stoppingChecks, type CheckFacts, type Judged } from './rules.ts';

const SOUND: CheckFacts = {
  day: '2026-11-21',
  productLine: 'STANDARD',
  enrolType: 'NEW',
  covered: true,
  listed: true,
  coverageStart: '2026-06-01',
  continuousFrom: '2026-06-01',
  diseaseWaitingDays: 0,
  waitingDays: 90,
  preExistingCovered: false,
  firstDiagnosedOn: '2026-10-08',
  icd10: 'C34.901',
  indicationPrefixes: ['C34'],
  geneRequirement: null,
  age: 50,
  ageMin: 18,
  ageMax: 65,
  missing: [],
  ages: [],
  openNo: null,
  liveContractNo: null,
  blockReason: null,
  realName: true,
  duplicates: 0,
  hospitalRank: 3,
  minHospitalRank: 2,
  control: { mode: null, text: '' },
  checklist: [],
};
const found = (change: Partial<CheckFacts>, code: string) => findAll({ ...SOUND, ...change }).find(({ checkCode }) => checkCode === code);
const judged = (change: Partial<CheckFacts>, words: Readonly<Record<string, Pick<Judged, 'humanVerdict' | 'humanNote'>>> = {}): Judged[] =>
  findAll({ ...SOUND, ...change }).map((finding) => ({ ...finding, humanVerdict: null, humanNote: '', ...words[finding.checkCode] }));

describe('R2: what the machine finds', () => {
  it('of a sound application speaks for it in every item', () => {
    expect(findAll(SOUND).filter(({ machineResult }) => machineResult !== 'PASS')).toEqual([]);
  });

  it.each([
    ['2026-09-28', 'FAIL', '确诊日期 2026-09-28 < 2026-09-29'],
    ['2026-09-29', 'PASS', '确诊日期 2026-09-29 ≥ 2026-09-29'],
  ] as const)('13: a diagnosis of %s against the first day after the waiting time is %s', (firstDiagnosedOn, machineResult, explain) => {
    const change = { continuousFrom: '2026-07-01', diseaseWaitingDays: 90, firstDiagnosedOn } as const;
    expect(found(change, 'E03')).toMatchObject({ hard: true, machineResult, explain });
  });

  it.each([
    ['of the product alone it is a warning', { waitingDays: 365 }, 'E03', false, 'WARN'],
    ['a renewal without a gap has none', { waitingDays: 365, enrolType: 'RENEW', coverageStart: '2026-11-01' }, 'E03', false, 'PASS'],
    ['a renewal after a gap has it anew', { waitingDays: 365, enrolType: 'RENEW' }, 'E03', false, 'WARN'],
    ['cover without a beginning is nobody’s guess', { coverageStart: null, continuousFrom: null }, 'E04', true, 'UNKNOWN'],
    ['an illness of before the cover', { firstDiagnosedOn: '2026-05-31' }, 'E04', true, 'FAIL'],
    ['the same where the product takes it', { firstDiagnosedOn: '2026-05-31', preExistingCovered: true }, 'E04', true, 'PASS'],
    ['another disease than the drug is for', { icd10: 'C50.900' }, 'E05', true, 'FAIL'],
    ['a drug without indications', { indicationPrefixes: [] }, 'E05', true, 'UNKNOWN'],
    ['a product without drugs', { indicationPrefixes: null, icd10: 'I10' }, 'E05', true, 'PASS'],
    ['the youngest', { age: 18 }, 'E06', true, 'PASS'],
    ['a year too young', { age: 17 }, 'E06', true, 'FAIL'],
    ['the oldest', { age: 65 }, 'E06', true, 'PASS'],
    ['a year too old', { age: 66 }, 'E06', true, 'FAIL'],
    ['no day of birth', { age: null }, 'E06', true, 'UNKNOWN'],
    ['a prescription of 30 days', { ages: [{ materialType: 'PRESCRIPTION', days: 30 }] }, 'E07B', false, 'PASS'],
    ['a prescription of 31 days', { ages: [{ materialType: 'PRESCRIPTION', days: 31 }] }, 'E07B', false, 'WARN'],
    ['a contract that lives', { liveContractNo: 'HT1' }, 'E08', true, 'FAIL'],
    ['a mark that forbids', { blockReason: '骗保' }, 'E09', true, 'FAIL'],
    ['a hospital below what is asked', { hospitalRank: 1 }, 'E12', false, 'WARN'],
    ['a control rule that refuses', { control: { mode: 'REJECT', text: '超出限额' } }, 'E13', true, 'FAIL'],
    ['a control rule that holds up', { control: { mode: 'HOLD', text: '待核' } }, 'E13', false, 'WARN'],
  ] as const)('%s', (_name, change, code, hard, machineResult) => {
    expect(found(change, code)).toMatchObject({ hard, machineResult });
  });

  it('leaves out what a line does without, and asks for a gene only where the drug needs one', () => {
    expect(findAll({ ...SOUND, productLine: 'HMO' }).map(({ checkCode }) => checkCode)).not.toContain('E05');
    expect(found({ productLine: 'SAAS' }, 'E10')).toBeUndefined();
    expect(found({}, 'E05G')).toBeUndefined();
    expect(found({ geneRequirement: 'EGFR阳性' }, 'E05G')).toMatchObject({ hard: true, machineResult: null, explain: 'EGFR阳性' });
  });
});

describe('what stands in the way of a pass', () => {
  it('is a hard item that failed until somebody overrides it in words, and a soft one until somebody says a word', () => {
    const old = { firstDiagnosedOn: '2026-05-31', hospitalRank: 1 } as const;
    expect(stoppingChecks(judged(old)).map(({ checkCode }) => checkCode)).toEqual(['E04']);
    expect(stoppingChecks(judged(old, { E04: { humanVerdict: 'OVERRIDE', humanNote: '' } }))).toHaveLength(1);
    expect(stoppingChecks(judged(old, { E04: { humanVerdict: 'OVERRIDE', humanNote: '体检报告为复查' } }))).toEqual([]);
    expect(openChecks(judged(old)).map(({ checkCode }) => checkCode)).toEqual(['E03', 'E12']);
    expect(stoppingChecks(judged(old, { E12: { humanVerdict: 'FAIL', humanNote: '' } }))).toHaveLength(2);
  });
});

describe('R1: the step after a pass', () => {
  const next = (change: Partial<Parameters<typeof nextStep>[0]>) =>
    nextStep({
      applyNo: 'RZ20261121000001',
      productLine: 'STANDARD',
      reviewLevels: 'ONE',
      sampleBp: 0,
      checks: [],
      forced: false,
      ...change,
    });

  it.each([
    [{}, 'APPROVED', null],
    [{ sampleBp: 10_000 }, 'RECHECK', 'SAMPLE'],
    [{ reviewLevels: 'TWO', sampleBp: 10_000 }, 'RECHECK', 'LEVEL'],
    [{ forced: true, reviewLevels: 'TWO' }, 'RECHECK', 'MARK'],
    [{ productLine: 'SAAS' }, 'WAIT_INSURER', null],
    [{ reviewLevels: 'INSURER' }, 'WAIT_INSURER', null],
    [{ productLine: 'SAAS', sampleBp: 10_000 }, 'RECHECK', 'SAMPLE'],
  ] as const)('of %o is %s for %s', (change, state, reason) => {
    expect(next(change)).toEqual({ state, reason });
  });

  it('looks again at what was overridden before anything else', () => {
    const checks = judged({ firstDiagnosedOn: '2026-05-31' }, { E04: { humanVerdict: 'OVERRIDE', humanNote: '体检报告为复查' } });
    expect(next({ checks, forced: true, reviewLevels: 'TWO' })).toEqual({ state: 'RECHECK', reason: 'OVERRIDE' });
  });

  it('6: takes about the share that is asked for, and of one number always the same', () => {
    const numbers = Array.from({ length: 2_000 }, (_, n) => `RZ20261121${String(n).padStart(6, '0')}`);
    const taken = () => numbers.filter((applyNo) => next({ applyNo, sampleBp: 2_000 }).reason === 'SAMPLE');
    expect(taken()).toEqual(taken());
    expect(taken().length).toBeGreaterThan(320);
    expect(taken().length).toBeLessThan(480);
  });
});

describe('the grade of a chronic disease', () => {
  const none = { systolic: null, diastolic: null, hba1cPermille: null, ldlCentimole: null, bmiTenths: null };
  it.each([
    [{}, null],
    [{ systolic: 139 }, 'LOW'],
    [{ systolic: 140 }, 'MID'],
    [{ systolic: 139, diastolic: 100 }, 'HIGH'],
    [{ bmiTenths: 350 }, 'VERY_HIGH'],
    [{ hba1cPermille: 69, ldlCentimole: 339 }, 'MID'],
  ] as const)('of %o is %s', (measures, grade) => {
    expect(proposedGrade({ ...none, ...measures })).toBe(grade);
  });
});
