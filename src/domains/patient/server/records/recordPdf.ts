import { showInstant } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import { renderPdf, type PdfBlock } from '#kernel/server/documents/pdf.ts';
import {
  consentActions,
  consentSigners,
  consentTypes,
  diagnosisStates,
  frequencies,
  genders,
  indicatorFlags,
  inspectionKinds,
  outcomes,
  paragraphs,
  treatmentKinds,
} from '../../contract/dictionaries.ts';
import { modules, type ModuleCode, type ModuleRow } from '../../contract/modules.ts';
import { inspectionMachine, realNameMachine, suggestionMachine } from '../../contract/states.ts';
import { yuan } from '#kernel/contract/money.ts';
import type { Seen } from '../access.ts';
import { own } from '../database.ts';
import { baseInfoOf } from '../persons/facts.ts';
import { historyOf } from './history.ts';
import { modulePage } from './modules.ts';

export type Part = 'BASE' | 'HISTORY' | ModuleCode | 'CONSENT';
export const allParts: readonly Part[] = ['BASE', 'HISTORY', 'modular001', 'modular002', 'modular003', 'modular004', 'CONSENT'];
/** Rows of one section; a record does not come near it. */
const MOST = 999;
const nobody = { may: () => false, userId: null };
const minute = (at: string) => showInstant(at).slice(0, 16);
const orDash = (value: string | null | undefined) => value || '—';

/** Everything that a record says, as data; the export and the patient's own copy read the same. */
export async function recordOf(db: Db, seen: Seen, parts: readonly Part[], today: string) {
  const wants = (part: Part) => parts.includes(part);
  const section = async (moduleCode: ModuleCode) =>
    wants(moduleCode) ? (await modulePage(db, seen.groupIds, { moduleCode, pageNo: 1, pageSize: MOST }, nobody)).rows : [];
  return {
    base: wants('BASE') ? await baseInfoOf(db, seen, today) : null,
    history: wants('HISTORY') ? await historyOf(db, seen.groupIds) : [],
    modular001: await section('modular001'),
    modular002: await section('modular002'),
    modular003: await section('modular003'),
    modular004: await section('modular004'),
    consents: wants('CONSENT')
      ? await own(db)
          .selectFrom('patientConsent')
          .select(['consentType', 'docVersion', 'act', 'by', 'signerName', 'channel', 'at'])
          .where('patientId', 'in', seen.groupIds)
          .orderBy('at', 'desc')
          .execute()
      : [],
  };
}
export type RecordData = Awaited<ReturnType<typeof recordOf>>;

const rowOf = (row: ModuleRow): string[] => {
  switch (row.moduleCode) {
    case 'modular001':
      return [minute(row.createdAt), paragraphs.label(row.paragraphCode), row.text];
    case 'modular002':
      return [
        minute(row.prescriptionTime),
        row.medicines
          .map((one) => `${one.medicineName} ${one.spec} ${one.dose} ${frequencies.label(one.frequency)} ${one.days}天`)
          .join('\n'),
        row.doctorName,
        suggestionMachine.dictionary.label(row.status),
      ];
    case 'modular003':
      return [
        minute(row.orderTime),
        row.orderNo,
        row.lines.map((line) => `${line.medicineName} ×${line.qty}`).join('\n'),
        yuan(row.payFen),
        row.statusName,
      ];
    case 'modular004':
      return [
        minute(row.inspectionTime),
        `${inspectionKinds.label(row.kind)} ${row.itemName}`,
        row.conclusion || '—',
        row.indicators
          .map((one) => `${one.name} ${one.value} ${one.unit}${one.flag === 'N' ? '' : ` ${indicatorFlags.label(one.flag)}`}`)
          .join('\n'),
        inspectionMachine.dictionary.label(row.status),
      ];
  }
};
const columns: Record<ModuleCode, { label: string; width: number }[]> = {
  modular001: [
    { label: '时间', width: 2 },
    { label: '段落', width: 1.2 },
    { label: '内容', width: 7 },
  ],
  modular002: [
    { label: '开具时间', width: 2 },
    { label: '药品与用法', width: 5 },
    { label: '医生', width: 1.4 },
    { label: '状态', width: 1.6 },
  ],
  modular003: [
    { label: '下单时间', width: 2 },
    { label: '订单号', width: 2.4 },
    { label: '药品', width: 4 },
    { label: '金额（元）', width: 1.6 },
    { label: '状态', width: 1.4 },
  ],
  modular004: [
    { label: '检查时间', width: 2 },
    { label: '项目', width: 2.4 },
    { label: '结论', width: 3 },
    { label: '指标', width: 3.4 },
    { label: '状态', width: 1.4 },
  ],
};

/** The record as an A4 document; who made it and when stands over every page. */
export function recordPdf(seen: Seen, data: RecordData, parts: readonly Part[], by: { name: string; at: string; purpose: string }): Buffer {
  const blocks: PdfBlock[] = [
    { kind: 'title', text: '患者档案', note: `${seen.patientNo}　打印：${by.name}　${minute(by.at)}　用途：${by.purpose}` },
  ];
  if (data.base) {
    const { base } = data;
    blocks.push({
      kind: 'fields',
      fields: [
        ['姓名', base.name],
        ['性别', genders.label(String(base.gender))],
        ['年龄', base.age === null ? '—' : `${base.age}岁（${base.birthDate}）`],
        ['实名状态', realNameMachine.dictionary.label(base.realNameState)],
        ['手机号', orDash(base.mobileMasked)],
        ['证件号', orDash(base.idNoMasked)],
        ['地区', orDash(base.region)],
        [
          '身高体重',
          `${base.heightCm === null ? '—' : `${base.heightCm}cm`} / ${base.weightG === null ? '—' : `${(base.weightG / 1000).toFixed(1)}kg`}`,
        ],
        ['过敏史', orDash(base.allergyHistory)],
        ['既往史', orDash(base.pastHistory)],
        ['家族史', orDash(base.familyHistory)],
      ],
    });
  }
  if (data.history.length > 0) {
    blocks.push({ kind: 'heading', text: '诊疗史' });
    for (const one of data.history) {
      blocks.push({
        kind: 'text',
        text:
          `${one.diagnosedAt} ${one.name}（${one.icd10}）${diagnosisStates.label(one.state)}` +
          `${one.isPrimary ? ' 主要诊断' : ''}${one.stage ? ` ${one.stage}` : ''} ${one.hospitalName}`,
      });
      if (one.treatments.length > 0) {
        blocks.push({
          kind: 'table',
          columns: [
            { label: '起止', width: 2.4 },
            { label: '类型', width: 1 },
            { label: '方案', width: 4 },
            { label: '线数', width: 0.8 },
            { label: '疗效', width: 1.4 },
          ],
          rows: one.treatments.map((each) => [
            `${each.startOn} 至 ${each.endOn ?? '今'}`,
            treatmentKinds.label(each.kind),
            each.regimen,
            each.lineNo === null ? '—' : `${each.lineNo}线`,
            each.outcome === null ? '—' : outcomes.label(each.outcome),
          ]),
        });
      }
    }
  }
  for (const code of ['modular001', 'modular002', 'modular003', 'modular004'] as const) {
    if (!parts.includes(code)) continue;
    blocks.push({ kind: 'heading', text: modules[code].label });
    if (data[code].length === 0) blocks.push({ kind: 'text', text: '无记录' });
    else blocks.push({ kind: 'table', columns: columns[code], rows: data[code].map(rowOf) });
  }
  if (parts.includes('CONSENT')) {
    blocks.push({ kind: 'heading', text: '授权同意' });
    blocks.push({
      kind: 'table',
      columns: [
        { label: '时间', width: 2 },
        { label: '类型', width: 3 },
        { label: '版本', width: 1 },
        { label: '动作', width: 1 },
        { label: '签署人', width: 2 },
      ],
      rows: data.consents.map((one) => [
        minute(one.at),
        consentTypes.label(one.consentType),
        one.docVersion,
        consentActions.label(one.act),
        `${consentSigners.label(one.by)} ${one.signerName}`,
      ]),
    });
  }
  return renderPdf({
    title: `患者档案${seen.patientNo}`,
    watermark: `${by.name} ${minute(by.at)}`,
    footer: '含个人医疗信息，请妥善保管',
    blocks,
  });
}
