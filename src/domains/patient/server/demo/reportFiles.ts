import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { drawReportPicture, type ReportPicture } from '#kernel/server/demo/reportPicture.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { indicatorOf } from '../../contract/indicators.ts';
import { attachFiles, RECORD_PURPOSE } from '../files.ts';
import { clinics } from './clinic.ts';
import { FIRST_ID } from './cast.ts';

/** Nobody's uploads: the demonstration's own. */
const UPLOADER = '0';
/** Whom the stories tell of. */
const TOLD = 15;

/** Reports without values look alike; whoever has one shares its picture. */
const shared: Readonly<Record<string, ReportPicture>> = {
  胸部CT: { title: '胸部CT检查', rows: [], words: '右肺上叶见结节影，边缘欠光整，较前片缩小，建议三个月后复查。' },
  腹部超声: { title: '腹部超声检查', rows: [], words: '肝脏形态大小正常，胆囊壁光滑，胰脾未见明显异常。' },
  头颅MRI: { title: '头颅MRI检查', rows: [], words: '脑实质内未见明确异常信号，中线结构居中。' },
  穿刺活检病理: { title: '穿刺活检病理', rows: [], words: '送检组织符合腺癌，建议结合免疫组化及基因检测。' },
  EGFR基因检测: {
    title: 'EGFR基因检测',
    rows: [
      ['19号外显子', '缺失突变', '—', '野生型'],
      ['21号外显子', '未检出', '—', '野生型'],
    ],
    words: 'EGFR 19号外显子缺失突变阳性。',
  },
  BRCA基因检测: {
    title: 'BRCA基因检测',
    rows: [
      ['BRCA1', '未检出', '—', '野生型'],
      ['BRCA2', '未检出', '—', '野生型'],
    ],
    words: '未检出致病性突变。',
  },
};

type Line = ReportPicture['rows'][number];
const range = (low: string | null, high: string | null) =>
  low === null ? (high === null ? '—' : `＜${high}`) : high === null ? `＞${low}` : `${low}-${high}`;
/** What a laboratory found before treatment: what waits for reading says so, and the reader types it. */
const panels: Readonly<Record<string, ReportPicture>> = Object.fromEntries(
  Object.values(clinics).map(({ panel, measured }) => [
    panel,
    {
      title: panel,
      words: '请结合临床，定期复查。',
      rows: measured.map(([code, start]): Line => {
        const { name, unit, reference } = indicatorOf(code)!;
        return [name, String(start), unit, range(reference.low, reference.high)];
      }),
    },
  ]),
);

interface Report {
  id: string;
  patientId: string;
  itemName: string;
  status: string;
  conclusion: string;
  values: { code: string; value: string; refLow: string | null; refHigh: string | null }[];
}
/** The values of a report that was read stand on its paper. */
const pictureOf = ({ itemName, conclusion, values }: Report): ReportPicture =>
  shared[itemName] ??
  (values.length === 0
    ? panels[itemName]!
    : {
        title: itemName,
        words: conclusion,
        rows: values.map(({ code, value, refLow, refHigh }): Line => {
          const { name, unit } = indicatorOf(code)!;
          return [name, value, unit, range(refLow, refHigh)];
        }),
      });

/** Reports that wait for reading, and those of the stories, get the paper that a reader looks at; a person has each picture once. */
export async function writeReportFiles(tx: Tx, kernel: Kernel, now: Instant): Promise<void> {
  const { rows: reports } = await sql<Report>`
    select i.id::text, i.patient_id::text, i.item_name, i.status, i.conclusion,
        coalesce((
          select jsonb_agg(
            jsonb_build_object(
              'code', v.code, 'value', trim_scale(v.value)::text, 'refLow', trim_scale(v.ref_low)::text, 'refHigh',
              trim_scale(v.ref_high)::text
            ) order by v.id
          )
            from patient_indicator v
            where v.inspection_id = i.id
        ), '[]') as
      values
      from patient_inspection i
      where i.voided_at is null and (i.status = '1' or (i.status = '2' and i.patient_id < ${FIRST_ID + TOLD}))
      order by i.patient_id, i.id`.execute(tx);
  const stored = new Map<string, { fileId: string; sha256: string }>();
  const papers: { inspection_id: string; patient_id: string; file_id: string; sha256: string; live: true }[] = [];
  const had = new Set<string>();
  for (const report of reports) {
    const picture = pictureOf(report);
    const key = JSON.stringify(picture);
    if (!stored.has(key))
      stored.set(
        key,
        await kernel.ports.files.store(
          tx,
          {
            purpose: RECORD_PURPOSE,
            name: `${report.itemName}.jpg`,
            body: drawReportPicture(picture),
            contentType: 'image/jpeg',
            createdBy: UPLOADER,
            sensitive: true,
          },
          now,
        ),
      );
    const { fileId, sha256 } = stored.get(key)!;
    if (had.has(`${report.patientId} ${sha256}`)) continue;
    had.add(`${report.patientId} ${sha256}`);
    papers.push({ inspection_id: report.id, patient_id: report.patientId, file_id: fileId, sha256, live: true });
  }
  await sql`
    insert into patient_inspection_file (inspection_id, patient_id, file_id, sha256, live)
      select inspection_id, patient_id, file_id, sha256, live
        from jsonb_populate_recordset(null::patient_inspection_file, ${JSON.stringify(papers)}::jsonb)`.execute(tx);
  await sql`
    update patient_inspection i set file_ids = array[f.file_id] from patient_inspection_file f where f.inspection_id = i.id`.execute(tx);
  for (const patientId of new Set(papers.map((paper) => paper.patient_id))) {
    await attachFiles({ tx, now }, UPLOADER, patientId, 'inspection', [
      ...new Set(papers.filter((paper) => paper.patient_id === patientId).map(({ file_id }) => file_id)),
    ]);
  }
}
