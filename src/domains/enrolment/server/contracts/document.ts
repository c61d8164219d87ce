import { createHash } from 'node:crypto';
import { yuan } from '#kernel/contract/money.ts';
import { dayOf, showInstant, type Instant } from '#kernel/contract/time.ts';
import { renderPdf, type PdfBlock } from '#kernel/server/documents/pdf.ts';
import type { Db } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { productLines, type ProductLine } from '#domains/insurance/contract/businessLines.ts';
import type { ContractRecord } from './access.ts';

/** Version of the built-in texts; a changed text counts one up. */
export const TEMPLATE_VERSION = 1;

const COMMON: readonly string[] = [
  '一、本合同由被保人（下称甲方）与康桥健康科技（下称乙方）签订，甲方保证所提供的身份、诊断与用药资料真实、完整。',
  '二、甲方在合同期内按本合同所列产品和方案享有用药服务权益，权益以签约时的产品版本为准，不因产品后续调整而减少。',
  '三、甲方应按要求定期提交复查材料；逾期未提交的，乙方可以暂停权益，材料审核通过后恢复。',
  '四、所承保的保险合同中止、终止或者甲方不再是被保人的，本合同权益相应暂停或者终止。',
  '五、甲方可以书面申请终止本合同；犹豫期内且未发生赔付的全额退还服务费，犹豫期后未发生赔付的按未使用天数退还。',
];
const OF_LINE: Readonly<Record<ProductLine, string>> = {
  STANDARD: '六、药品费用由保险公司按保险合同赔付，乙方协助办理直付或者报销。',
  SAAS: '六、药品费用由保险公司自行赔付，乙方仅提供审核和用药管理服务，不代收代付赔款。',
  RSB: '六、疗效评估以约定的基线和随访影像为依据，达到疗效不佳标准的，由药品企业按约定退还药费。',
  HMO: '六、甲方同意乙方为其提供慢病随访、用药提醒和健康评估，相关健康资料仅用于本项服务。',
  DAAS: '六、服务费由所在单位承担，甲方离开单位时权益随被保人清单终止。',
};

/** What is agreed, as a document; with the signature where it is signed over a link. */
export function renderContract(contract: ContractRecord, signature: { at: Instant; ip: string } | null): Buffer {
  const term =
    contract.startDate === null
      ? `自签署次日起${contract.termMonths}个月，不早于${contract.coverageStart}，不晚于${contract.coverageEnd}`
      : `${contract.startDate} 至 ${contract.endDate}`;
  const fee = BigInt(contract.startDate === null ? contract.listFeeFen : contract.feeFen);
  const feeText = fee === 0n ? '无' : `${yuan(fee, true)}元${contract.startDate === null && contract.prorated ? '（按实际天数折算）' : ''}`;
  const facts: readonly (readonly [string, string])[] = [
    ['合同编号', contract.contractNo],
    ['业务线', productLines.label(contract.productLine)],
    ['产品', `${contract.productName}（${contract.productCode}）`],
    ['方案', contract.planCode],
    ['保单号', contract.policyNo],
    ['甲方', contract.insuredName],
    ['证件号码', contract.idNoMasked ?? '—'],
    ['手机号', contract.mobileMasked ?? '—'],
    ['合同期', term],
    ['服务费', feeText],
    ['犹豫期', `签署后${contract.coolingOffDays}天`],
    ['复查周期', contract.reviewCycleDays === null ? '无' : `${contract.reviewCycleDays}天`],
  ];
  const signed: PdfBlock[] =
    signature === null
      ? []
      : [
          { kind: 'heading', text: '电子确认' },
          {
            kind: 'fields',
            fields: [
              ['签署人', contract.insuredName],
              ['签署时间', showInstant(signature.at)],
              ['签署地址', signature.ip],
              ['验证方式', '专属链接及证件号码后六位'],
            ],
          },
        ];
  return renderPdf({
    title: `${productLines.label(contract.productLine)}服务合同`,
    watermark: signature === null ? '未签署' : `${contract.contractNo} ${dayOf(signature.at)}`,
    footer: `${contract.contractNo}　模板 ${contract.templateCode} V${contract.templateVersion}`,
    blocks: [
      { kind: 'title', text: `${productLines.label(contract.productLine)}服务合同`, note: contract.contractNo },
      { kind: 'fields', fields: facts },
      { kind: 'heading', text: '合同条款' },
      ...[...COMMON, OF_LINE[contract.productLine]].map((text): PdfBlock => ({ kind: 'text', text })),
      ...signed,
    ],
  });
}

/** SHA-256 of the stored bytes of a file; null where they are gone. */
export async function storedHash(kernel: Pick<Kernel, 'ports'>, db: Db, fileId: string): Promise<string | null> {
  try {
    const hash = createHash('sha256');
    for await (const chunk of (await kernel.ports.files.openRead(db, fileId)).body) hash.update(chunk as Buffer);
    return hash.digest('hex');
  } catch {
    return null;
  }
}
