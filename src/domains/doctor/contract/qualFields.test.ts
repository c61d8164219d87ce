import { describe, expect, it } from 'vitest';
import { shapeOf } from '#kernel/contract/field.ts';
import { faultOf } from '#kernel/contract/fieldRules.ts';
import type { CertType } from './dictionaries.ts';
import { addDoctorInfo } from './calls/doctors.ts';
import { certFieldsOf, certInput } from './qualFields.ts';

describe('the number of a certificate', () => {
  const digits = (length: number) => '1'.repeat(length);
  const cases: [kind: CertType, certNo: string, fault: string | null][] = [
    ['QUALIFICATION', '', '请输入证件编号'],
    ['QUALIFICATION', digits(25), '医师资格证编号应为24或27位'],
    ['QUALIFICATION', `${digits(23)}-`, '医师资格证编号应为24或27位'],
    ['QUALIFICATION', `${digits(26)}x`, null],
    ['PRACTICE', '', '请输入证件编号'],
    ['PRACTICE', digits(14), '医师执业证编号应为15位数字'],
    ['PRACTICE', digits(15), null],
    ['TITLE', digits(61), '证件编号最多60个字符'],
    ['TITLE', '', null],
  ];
  it.each(cases)('%s %j: the form says what the call says', (certType, certNo, fault) => {
    expect(faultOf(shapeOf(certFieldsOf(certType)).certNo!, certNo, '证件编号')).toBe(fault);
    const { error } = certInput.safeParse({ certType, certNo, fileIds: ['1'] });
    expect(error?.issues.filter(({ path }) => path[0] === 'certNo').map(({ message }) => message) ?? []).toEqual(fault ? [fault] : []);
  });
});

it('what a doctor says of himself names the forbidden words', () => {
  const { specialty, intro } = shapeOf(addDoctorInfo.input);
  expect(faultOf(specialty!, '根治高血压，药到病除', '擅长')).toBe('擅长包含违规用语：根治、药到病除');
  expect(faultOf(intro!, '高血压的长期管理', '简介')).toBeNull();
  expect(faultOf(intro!, '', '简介')).toBeNull();
});
