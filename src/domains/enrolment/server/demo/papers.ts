import type { Day } from '#kernel/contract/time.ts';
import { renderPdf, type PdfBlock } from '#kernel/server/documents/pdf.ts';
import { materialTypes, type MaterialType } from '#domains/insurance/contract/businessLines.ts';
import type { StaffName, Stage } from './stage.ts';

type Fields = readonly (readonly [label: string, value: string])[];
export interface PaperWish {
  title: string;
  /** Number on the paper. */
  no: string;
  fields: Fields;
  text?: string;
}

function bodyOf({ title, no, fields, text }: PaperWish): Buffer {
  const blocks: PdfBlock[] = [
    { kind: 'title', text: title, note: no },
    { kind: 'fields', fields },
    ...(text ? [{ kind: 'text' as const, text }] : []),
  ];
  return renderPdf({ title, watermark: '演示资料 仅供体验', footer: '演示资料', blocks });
}

/** Stores a paper that somebody uploads on a day. */
export const storePaper = (stage: Stage, wish: PaperWish, purpose: string, day: Day, by: StaffName) =>
  stage.kernel.ports.files.store(
    stage.tx,
    { purpose, name: `${wish.title}.pdf`, body: bodyOf(wish), contentType: 'application/pdf', createdBy: stage.staff[by].userId },
    stage.at(day, by).now,
  );

export interface PatientFacts {
  no: string;
  name: string;
  day: Day;
  hospitalName: string;
  department: string;
  diseaseName: string;
  icd10: string;
  firstDiagnosedOn: Day;
  drugName: string | null;
  dose: string;
}

/** A paper that somebody hands in with an application, as a hospital writes it. */
export function medicalPaper(type: MaterialType, facts: PatientFacts): PaperWish {
  const { no, name, day, hospitalName, department, diseaseName, icd10, firstDiagnosedOn, drugName, dose } = facts;
  const head: Fields = [
    ['患者姓名', name],
    ['医院', hospitalName],
    ['科室', department],
    ['出具日期', day],
  ];
  const title = materialTypes.label(type);
  const disease: Fields = [
    ['诊断', `${diseaseName}（${icd10}）`],
    ['首次确诊', firstDiagnosedOn],
  ];
  const prescription: Fields =
    drugName === null
      ? []
      : [
          ['药品', drugName],
          ['用法用量', dose],
        ];
  switch (type) {
    case 'ID_CARD':
      return {
        title,
        no,
        fields: [
          ['姓名', name],
          ['证件类型', '居民身份证'],
          ['提交日期', day],
        ],
      };
    case 'PRESCRIPTION':
      return { title, no, fields: [...head, ...disease, ...prescription], text: '处方3日内有效，请在医师指导下使用。' };
    case 'DIAGNOSIS':
    case 'MEDICAL_RECORD':
      return { title, no, fields: [...head, ...disease], text: '建议按疗程规律用药，每三个月复查，不适随诊。' };
    case 'GENE_TEST':
      return { title, no, fields: [...head, ['检测结果', 'EGFR 19外显子缺失突变']], text: '结果仅对本次送检样本负责。' };
    default:
      return { title, no, fields: head };
  }
}
