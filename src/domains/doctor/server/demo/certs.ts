import { plusDays, type Day } from '#kernel/contract/time.ts';
import { certTypes, genders, practiceCategories, practiceLevels, titles, type CertType } from '../../contract/dictionaries.ts';
import { birthDateOf, genderOf } from '../../contract/fields.ts';
import type { DemoDoctor } from './people.ts';
import type { CertPicture } from './pictures.ts';

export interface DemoCert {
  certType: CertType;
  certNo: string;
  issuer: string;
  validFrom: Day;
  validTo: Day | null;
  pictures: CertPicture[];
}

/** Number of a qualification certificate: year, province and category, then the citizen's number. */
export const qualificationNo = (idNo: string, year: number): string => `${year}33110${idNo}`;
export const practiceNo = (index: number): string => `11033${String(1_000_000_000 + index * 7919).slice(-10)}`;

const show = (validTo: Day | null) => validTo ?? '长期';

/** What a doctor of the demonstration handed in, with readable pictures. */
export function demoCerts(doctor: DemoDoctor, hospitalName: string, today: Day): DemoCert[] {
  const { idNo, name, titleCode, index } = doctor;
  const since = plusDays(today, -365 * doctor.practiceSinceYears);
  const person: [string, string][] = [
    ['姓名', name],
    ['性别', genders.label(genderOf(idNo))],
    ['出生日期', birthDateOf(idNo)],
  ];
  const idTo = plusDays(today, 2000 + index * 3);
  const qualNo = qualificationNo(idNo, 1995 + (index % 20));
  const practice = practiceNo(index);
  const practiceTo = plusDays(today, doctor.practiceEnds);
  // An assessment period lasts two years; one that ends later than that began when the doctor registered.
  const practiceFrom = plusDays(practiceTo, -730 * Math.max(1, Math.ceil((doctor.practiceEnds + 1 + doctor.registered) / 730)));
  const titleCert: CertType = titleCode === 'RESIDENT' ? 'BADGE' : 'TITLE';
  return [
    {
      certType: 'ID_CARD',
      certNo: idNo,
      issuer: '杭州市公安局',
      validFrom: plusDays(idTo, -7300),
      validTo: idTo,
      pictures: [
        { title: '居民身份证（人像面）', colour: '#3b6ea5', rows: [...person, ['公民身份号码', idNo]] },
        {
          title: '居民身份证（国徽面）',
          colour: '#3b6ea5',
          rows: [
            ['签发机关', '杭州市公安局'],
            ['有效期限', `${plusDays(idTo, -7300)} 至 ${idTo}`],
          ],
        },
      ],
    },
    {
      certType: 'QUALIFICATION',
      certNo: qualNo,
      issuer: '国家卫生健康委员会',
      validFrom: since,
      validTo: null,
      pictures: [
        {
          title: '医师资格证书',
          colour: '#8c2f39',
          rows: [...person, ['类别', practiceCategories.label(doctor.category)], ['证书编码', qualNo], ['有效期', '长期']],
        },
      ],
    },
    {
      certType: 'PRACTICE',
      certNo: practice,
      issuer: '浙江省卫生健康委员会',
      validFrom: practiceFrom,
      validTo: practiceTo,
      pictures: [
        {
          title: '医师执业证书',
          colour: '#2f5d9b',
          rows: [
            ['姓名', name],
            ['执业级别', practiceLevels.label('LICENSED')],
            ['执业类别', practiceCategories.label(doctor.category)],
            ['执业范围', doctor.field[3]],
            ['主要执业机构', hospitalName],
            ['证书编码', practice],
            ['本考核周期至', show(practiceTo)],
          ],
        },
      ],
    },
    {
      certType: titleCert,
      certNo: `ZC${String(20_000 + index)}`,
      issuer: '浙江省人力资源和社会保障厅',
      validFrom: since,
      validTo: null,
      pictures: [
        {
          title: certTypes.label(titleCert),
          colour: '#3a6b35',
          rows: [
            ['姓名', name],
            ['单位', hospitalName],
            ['职称', titles.label(titleCode)],
            ['编号', `ZC${String(20_000 + index)}`],
          ],
        },
      ],
    },
  ];
}
