import { describe, expect, it } from 'vitest';
import { checkCharacter, isIdNumber } from '#kernel/contract/idNumber.ts';
import { ageOn, shortIdNoOf } from '../../../contract/fields.ts';
import type { CheckCode } from '../../../contract/dictionaries.ts';
import { findAll, plainName, scopeCovers, nextStep, openChecks, stoppingChecks, type Judged } from './checks.ts';
import type { CertFacts, CheckFacts } from './facts.ts';

const ID = '110101198001010010';
const idNo = `${ID.slice(0, 17)}${checkCharacter(ID.slice(0, 17))}`;
const cert = (certType: string, more: Partial<CertFacts> = {}): CertFacts => ({
  certType,
  certNo: null,
  holderName: '李文博',
  hospitalName: null,
  titleCode: null,
  validTo: null,
  ...more,
});
const certs = [
  cert('ID_CARD', { certNo: idNo, validTo: '2030-01-01' }),
  cert('QUALIFICATION', { certNo: `200533110${idNo}` }),
  cert('PRACTICE', { certNo: '110330106000123', hospitalName: '省人民医院', validTo: '2027-01-01' }),
  cert('TITLE', { titleCode: 'ASSOCIATE' }),
];
const right: CheckFacts = {
  today: '2026-11-21',
  name: '李文博',
  idNo,
  titleCode: 'ASSOCIATE',
  practiceScope: '内科专业',
  standardDeptCode: '03.04',
  certs,
  hospitalName: '浙江省人民医院',
  matchingHospitalNames: ['省人民医院'],
  usedBy: [],
  faces: 1,
  namesakes: [],
};
const without = (certType: string, more?: Partial<CertFacts>) =>
  certs.flatMap((one) => (one.certType === certType ? (more ? [{ ...one, ...more }] : []) : [one]));
const find = (code: CheckCode, change: Partial<CheckFacts>) =>
  findAll({ ...right, ...change }).find(({ checkCode }) => checkCode === code)!.result;

describe('R2 checks', () => {
  it('all pass on a right application', () => {
    expect(findAll(right).filter(({ result }) => result !== 'PASS')).toEqual([]);
  });

  it.each<[CheckCode, string, Partial<CheckFacts>, string]>([
    ['Q01', 'a wrong check digit', { idNo: `${idNo.slice(0, 17)}${idNo.endsWith('1') ? '2' : '1'}` }, 'FAIL'],
    ['Q01', '21 years', { today: '2001-12-31' }, 'FAIL'],
    ['Q01', '22 years', { today: '2002-01-01' }, 'PASS'],
    ['Q01', '75 years', { today: '2055-12-31' }, 'PASS'],
    ['Q01', '76 years', { today: '2056-01-01' }, 'FAIL'],
    ['Q01', 'no number', { idNo: null }, 'UNKNOWN'],
    ['Q02', 'another dot and blanks', { name: '李 文·博' }, 'PASS'],
    ['Q02', 'another name', { certs: without('PRACTICE', { holderName: '李文波' }) }, 'FAIL'],
    ['Q02', 'a name not read', { certs: without('QUALIFICATION', { holderName: null }) }, 'UNKNOWN'],
    ['Q03', '24 characters with the short form', { certs: without('QUALIFICATION', { certNo: `200533110${shortIdNoOf(idNo)}` }) }, 'PASS'],
    ['Q03', 'a foreign end', { certs: without('QUALIFICATION', { certNo: `200533110110101198001010011` }) }, 'FAIL'],
    ['Q03', 'another length', { certs: without('QUALIFICATION', { certNo: idNo }) }, 'FAIL'],
    ['Q03', 'nothing', { certs: without('QUALIFICATION') }, 'UNKNOWN'],
    ['Q04', '14 digits', { certs: without('PRACTICE', { certNo: '11033010600012' }) }, 'FAIL'],
    ['Q05', 'another hospital', { matchingHospitalNames: [] }, 'FAIL'],
    [
      'Q05',
      'a second site',
      { matchingHospitalNames: ['市一医院'], certs: [...certs, cert('MULTI_SITE', { hospitalName: '市一医院' })] },
      'PASS',
    ],
    ['Q05', 'nothing read', { certs: without('PRACTICE', { hospitalName: null }) }, 'UNKNOWN'],
    ['Q06', 'a last day', { today: '2027-01-01' }, 'PASS'],
    ['Q06', 'the day after', { today: '2027-01-02' }, 'FAIL'],
    ['Q07', 'another doctor', { usedBy: [{ what: '身份证', doctorNo: 'YS1' }] }, 'FAIL'],
    ['Q08', 'a lower title', { titleCode: 'CHIEF' }, 'WARN'],
    [
      'Q08',
      'a badge of a resident',
      { titleCode: 'RESIDENT', certs: [...without('TITLE'), cert('BADGE', { titleCode: 'RESIDENT' })] },
      'PASS',
    ],
    ['Q08', 'no paper', { certs: without('TITLE') }, 'UNKNOWN'],
    ['Q09', 'another department', { standardDeptCode: '10' }, 'WARN'],
    ['Q10', 'two faces', { faces: 2 }, 'WARN'],
    ['Q10', 'nobody counted', { faces: null }, 'UNKNOWN'],
    ['Q11', 'a namesake', { namesakes: ['YS2'] }, 'WARN'],
  ])('%s: %s', (code, _what, change, result) => {
    expect(find(code, change)).toBe(result);
  });

  it('know scopes, identity numbers and names', () => {
    expect([scopeCovers('中西医结合专业', '52'), scopeCovers('儿科专业', '04.03'), scopeCovers('不明', '03')]).toEqual([true, false, null]);
    expect([isIdNumber('11010119800230001X'), isIdNumber('11010519491231002X'), isIdNumber('110105194912310021'), isIdNumber('1')]).toEqual(
      [false, true, false, false],
    );
    expect([ageOn('1980-11-21', '2026-11-20'), ageOn('1980-11-21', '2026-11-21')]).toEqual([45, 46]);
    expect(plainName('阿卜杜拉 ·买买提')).toBe('阿卜杜拉买买提');
  });
});

describe('R1 next step', () => {
  const judged = (more: Partial<Judged> = {}): Judged => ({
    checkCode: 'Q03',
    hard: true,
    machineResult: 'PASS',
    explain: '',
    humanVerdict: 'AGREE',
    note: '',
    ...more,
  });
  it.each([
    ['UPDATE', [judged()], { state: 'APPROVED' }],
    ['RENEW', [judged()], { state: 'APPROVED' }],
    ['TITLE', [judged({ hard: false, machineResult: 'WARN', humanVerdict: 'OVERRIDE', note: '已核实' })], { state: 'APPROVED' }],
    ['FIRST', [judged()], { state: 'RECHECK', reason: 'LEVEL' }],
    ['HOSPITAL', [judged()], { state: 'RECHECK', reason: 'LEVEL' }],
    ['UPDATE', [judged({ machineResult: 'FAIL', humanVerdict: 'OVERRIDE', note: '已致电核实' })], { state: 'RECHECK', reason: 'OVERRIDE' }],
    [
      'FIRST',
      [judged({ machineResult: 'UNKNOWN', humanVerdict: 'OVERRIDE', note: '已致电核实' })],
      { state: 'RECHECK', reason: 'OVERRIDE' },
    ],
  ])('%s', (applyType, list, next) => {
    expect(nextStep(applyType, list)).toEqual(next);
  });

  it('is not taken while verdicts are missing or hard failures stand', () => {
    expect(openChecks([judged(), judged({ humanVerdict: null })])).toHaveLength(1);
    const stopping = [
      judged({ machineResult: 'FAIL' }),
      judged({ machineResult: 'UNKNOWN' }),
      judged({ machineResult: 'FAIL', humanVerdict: 'OVERRIDE' }),
      judged({ hard: false, humanVerdict: 'FAIL' }),
    ];
    expect(stoppingChecks(stopping)).toHaveLength(4);
    expect(
      stoppingChecks([
        judged(),
        judged({ hard: false, machineResult: 'WARN' }),
        judged({ machineResult: 'FAIL', humanVerdict: 'OVERRIDE', note: '已核实' }),
      ]),
    ).toEqual([]);
  });
});
