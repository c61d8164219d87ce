import { createHash } from 'node:crypto';
import { showInstant, type Instant } from '#kernel/contract/time.ts';
import { renderPdf, type PdfBlock } from '#kernel/server/documents/pdf.ts';
import { serviceTypes } from '../../contract/dictionaries.ts';
import { visitRecordMachine } from '../../contract/states.ts';
import type { InquiryRow } from '../inquiries/rows.ts';
import type { RecordRow } from './records.ts';
import { diagnosisText } from './rows.ts';

export const minute = (at: string): string => showInstant(at).slice(0, 16);
const orDash = (text: string | null | undefined) => text || '—';

/** Says of two prints whether they tell the same: over the record's number, content and confirmation. */
export function contentHash(record: RecordRow): string {
  const {
    visitNo,
    recordVersion,
    visitTime,
    chiefComplaint,
    presentIllness,
    pastHistory,
    allergy,
    diagnoses,
    advice,
    revisitOn,
    confirmedAt,
  } = record;
  return createHash('sha256')
    .update(
      JSON.stringify([
        visitNo,
        recordVersion,
        visitTime,
        chiefComplaint,
        presentIllness,
        pastHistory,
        allergy,
        diagnoses,
        advice,
        revisitOn,
        confirmedAt,
      ]),
    )
    .digest('hex');
}

export interface PrintFacts {
  hospitalName: string | null;
  departmentName: string | null;
  /** Who prints it; the program itself when it is archived without anybody. */
  by: string;
  at: Instant;
}

/** 就诊小结 on A4, with its number, hash and the doctor's confirmation. */
export function recordPdf(record: RecordRow, inquiry: InquiryRow, facts: PrintFacts): Buffer {
  const text = (title: string, content: string): PdfBlock[] => [
    { kind: 'heading', text: title },
    { kind: 'text', text: orDash(content) },
  ];
  return renderPdf({
    title: `就诊小结${record.visitNo}`,
    watermark: `${facts.by} ${minute(facts.at)}`,
    footer: `康桥互联网诊疗　${record.visitNo}　第${record.recordVersion}版　含个人医疗信息，请妥善保管`,
    blocks: [
      {
        kind: 'title',
        text: '就诊小结',
        note: `${record.visitNo}　第${record.recordVersion}版　${visitRecordMachine.dictionary.label(record.state)}`,
      },
      {
        kind: 'fields',
        fields: [
          ['患者', inquiry.patientName],
          ['问诊编号', inquiry.inquiryNo],
          ['医生', inquiry.doctorName],
          ['医院/科室', [facts.hospitalName, facts.departmentName].filter(Boolean).join(' ') || '—'],
          ['服务类型', `${serviceTypes.label(inquiry.serviceType)}（${inquiry.itemName}）`],
          ['就诊时间', minute(record.visitTime)],
          ['复诊日期', orDash(record.revisitOn)],
          ['医生确认', record.confirmedAt === null ? '未确认' : `${inquiry.doctorName} ${showInstant(record.confirmedAt)}`],
        ],
      },
      ...text('主诉', record.chiefComplaint),
      ...text('现病史', record.presentIllness),
      ...text('既往史', record.pastHistory),
      ...text('过敏史', record.allergy),
      ...text('初步诊断', diagnosisText(record.diagnoses) ?? ''),
      ...text('处理意见', record.advice),
      ...(record.correctReason === null ? [] : text('更正原因', record.correctReason)),
      { kind: 'heading', text: '校验' },
      { kind: 'text', text: `内容校验码（SHA-256）：${contentHash(record)}` },
    ],
  });
}
