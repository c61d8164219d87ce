import { sql } from 'kysely';
import type { Instant } from '../../../../kernel/contract/time.ts';
import type { Tx } from '../../../../kernel/server/context.ts';
import { drawReportPicture, type ReportPicture } from '../../../../kernel/server/demo/reportPicture.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { attachFiles, RECORD_PURPOSE } from '../files.ts';
import { FIRST_ID } from './people.ts';

/** Nobody's uploads: the demonstration's own. */
const UPLOADER = '0';
/** Whom the stories tell of. */
const TOLD = 15;

const chemistry = [['空腹血糖', '6.9', 'mmol/L', '3.9-6.1'], ['肌酐', '82', 'μmol/L', '57-111'], ['丙氨酸氨基转移酶', '28', 'U/L', '9-50'], ['低密度脂蛋白胆固醇', '2.86', 'mmol/L', '＜3.4']] as const;
/** One picture for each kind of report; whoever has such a report shares it. */
const pictures: Readonly<Record<string, ReportPicture>> = {
  血生化: { title: '血生化', rows: chemistry, words: '空腹血糖偏高，其余各项未见明显异常，建议结合临床。' },
  血常规: { title: '血常规', rows: [['白细胞', '5.6', '10^9/L', '3.5-9.5'], ['血红蛋白', '132', 'g/L', '115-150'], ['血小板', '214', '10^9/L', '125-350']], words: '各项指标在参考范围内。' },
  肿瘤标志物: { title: '肿瘤标志物', rows: [['癌胚抗原', '4.1', 'ng/mL', '＜5.0'], ['前列腺特异性抗原', '2.3', 'ng/mL', '＜4.0']], words: '各项指标在参考范围内，请定期复查。' },
  糖化血红蛋白: { title: '糖化血红蛋白', rows: [['糖化血红蛋白', '7.1', '%', '4.0-6.0']], words: '糖化血红蛋白偏高，较前次下降。' },
  胸部CT: { title: '胸部CT检查', rows: [], words: '右肺上叶见结节影，边缘欠光整，较前片缩小，建议三个月后复查。' },
  腹部超声: { title: '腹部超声检查', rows: [], words: '肝脏形态大小正常，胆囊壁光滑，胰脾未见明显异常。' },
  头颅MRI: { title: '头颅MRI检查', rows: [], words: '脑实质内未见明确异常信号，中线结构居中。' },
  穿刺活检病理: { title: '穿刺活检病理', rows: [], words: '送检组织符合腺癌，建议行基因检测。' },
  EGFR基因检测: { title: 'EGFR基因检测', rows: [['19号外显子', '缺失突变', '—', '野生型'], ['21号外显子', '未检出', '—', '野生型']], words: 'EGFR 19号外显子缺失突变阳性。' },
  BRCA基因检测: { title: 'BRCA基因检测', rows: [['BRCA1', '未检出', '—', '野生型'], ['BRCA2', '未检出', '—', '野生型']], words: '未检出致病性突变。' },
};

/** Reports that wait for reading, and those of the stories, get the paper that a reader looks at; a person has each picture once. */
export async function writeReportFiles(tx: Tx, kernel: Kernel, now: Instant): Promise<void> {
  const { rows: reports } = await sql<{ id: string; patientId: string; itemName: string }>`
    select distinct on (patient_id, item_name) id::text, patient_id::text, item_name from patient_inspection
     where voided_at is null and (status = '1' or (status = '2' and patient_id < ${FIRST_ID + TOLD})) and item_name = any(${Object.keys(pictures)}) order by patient_id, item_name, status, id`.execute(tx);
  const stored = new Map<string, { fileId: string; sha256: string }>();
  for (const name of new Set(reports.map(({ itemName }) => itemName))) {
    const { fileId, sha256 } = await kernel.ports.files.store(tx, { purpose: RECORD_PURPOSE, name: `${name}.jpg`, body: drawReportPicture(pictures[name]!), contentType: 'image/jpeg', createdBy: UPLOADER, sensitive: true }, now);
    stored.set(name, { fileId, sha256 });
  }
  const papers = reports.map(({ id, patientId, itemName }) => ({ inspection_id: id, patient_id: patientId, file_id: stored.get(itemName)!.fileId, sha256: stored.get(itemName)!.sha256, live: true }));
  await sql`insert into patient_inspection_file (inspection_id, patient_id, file_id, sha256, live) select inspection_id, patient_id, file_id, sha256, live from jsonb_populate_recordset(null::patient_inspection_file, ${JSON.stringify(papers)}::jsonb)`.execute(tx);
  await sql`update patient_inspection i set file_ids = array[f.file_id] from patient_inspection_file f where f.inspection_id = i.id`.execute(tx);
  for (const patientId of new Set(reports.map((report) => report.patientId))) {
    await attachFiles({ tx, now }, UPLOADER, patientId, 'inspection', [...new Set(papers.filter((paper) => paper.patient_id === patientId).map(({ file_id }) => file_id))]);
  }
}
