import { bufferOf, xlsxStream } from '#kernel/server/documents/xlsxStream.ts';
import { fileErrors } from '../../contract/errors.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { own } from '../database.ts';
import { newStorageKey } from '../objects/names.ts';
import type { DemoStage } from './stage.ts';
import { jpegOf, pdfOf } from './samples.ts';

const REFUSED: readonly [name: string, size: number, code: string, reason: string][] = [
  ['检查报告.jpg', 148_480, fileErrors.DISGUISED.code, fileErrors.DISGUISED.text],
  ['出院小结.pdf', 2_310_144, fileErrors.UNREADABLE.code, '文件无法打开：加密'],
  ['门诊票据.png', 18_432, fileErrors.DISGUISED.code, fileErrors.DISGUISED.text],
  ['费用清单.xlsx', 422_912, fileErrors.UNREADABLE.code, '文件无法打开：压缩比异常'],
  ['CT影像拼图.png', 9_961_472, fileErrors.UNREADABLE.code, '文件无法打开：图片尺寸过大'],
  ['历史清单.xlsx', 81_920, fileErrors.DISGUISED.code, '不支持旧版.xls文件，请另存为.xlsx后上传'],
];

const table = () =>
  bufferOf(
    xlsxStream([
      {
        name: '数据',
        widths: [18, 12, 14],
        frozenRows: 1,
        rows: [
          ['材料名称', '份数', '说明'],
          ['身份证正反面', '1', '须在有效期内'],
          ['住院病历', '1', '加盖医院印章'],
          ['费用票据', '若干', '与清单一致'],
        ].map((row, at) => row.map((text) => ({ text, style: at === 0 ? ('header' as const) : ('text' as const) }))),
      },
    ]),
  );

/** Readable files that the program keeps, and uploads that were refused. */
export async function writeDemoFiles(stage: DemoStage): Promise<void> {
  const { kernel, people } = stage;
  const picture = await jpegOf(
    1_240,
    1_654,
    '材料示例：出院小结',
    '',
    '姓名：张某某    性别：女    年龄：56岁',
    '住院号：ZY2026110001',
    '入院日期：2026-10-28',
    '出院日期：2026-11-06',
    '出院诊断：2型糖尿病；高血压2级',
    '医嘱：规律用药，监测血糖，每月复诊',
    '',
    '（示例文件，内容为虚构）',
  );
  const kept: readonly [name: string, body: Buffer, type: string][] = [
    ['材料示例-出院小结.jpg', picture, 'image/jpeg'],
    [
      'Upload guide.pdf',
      pdfOf(['Kangqiao: how to upload documents - page 1', 'Page 2: pictures and scans', 'Page 3: what is refused']),
      'application/pdf',
    ],
    ['材料清单模板.xlsx', await table(), 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ];
  for (const [index, [name, body, contentType]] of kept.entries()) {
    const person = people[index % people.length]!;
    await stage.transaction(async ({ tx }) => {
      const { fileId } = await kernel.ports.files.store(
        tx,
        {
          purpose: 'CONTENT',
          name,
          body,
          contentType,
          createdBy: person.userId,
          sensitive: index === 0,
          retainUntil: '2036-12-31T16:00:00.000Z',
        },
        stage.ago(3_000 - index),
      );
      await own(tx)
        .updateTable('filesFileObject')
        .set({ createdName: person.displayName, ...(contentType === 'application/pdf' ? { pageCount: 3 } : {}) })
        .where('id', '=', fileId)
        .execute();
    });
  }
  await stage.transaction(async ({ tx }) => {
    for (const [index, [fileName, size, rejectCode, rejectReason]] of REFUSED.entries()) {
      const person = people[index % people.length]!;
      const at = stage.ago(2_000 - index * 37);
      await own(tx)
        .insertInto('filesFileObject')
        .values({
          fileNo: await nextNumber(tx, 'WJ', dayOf(at)),
          purpose: 'EVIDENCE',
          fileName,
          declaredType: 'application/octet-stream',
          declaredSize: String(size),
          size: String(size),
          storageKey: newStorageKey('EVIDENCE', at),
          sensitive: true,
          state: 'REJECTED',
          rejectCode,
          rejectReason,
          scanState: 'NONE',
          source: 'UPLOAD',
          checkedAt: at,
          bytesRemovedAt: at,
          createdAt: at,
          createdBy: person.userId,
          createdName: person.displayName,
        })
        .execute();
    }
  });
}
