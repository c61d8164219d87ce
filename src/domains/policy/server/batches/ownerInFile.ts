import { refuseField } from '../../../../kernel/contract/errors.ts';
import type { CommandContext } from '../../../../kernel/server/context.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { getInsurer, resolveByCodes } from '../../../insurance/server/index.ts';
import { placesOf, type Layout, type Places } from '../../contract/rules/template.ts';
import { insurerKeyOf } from '../policies/write.ts';
import { listRows, openList } from './readFile.ts';
import { rawOf, readRow } from './readRow.ts';

/** Rows that are looked at for one that says it. */
const LOOKED_AT = 1_000;

/**
 * Whose policies a list makes that is read by everybody's template: the insurer of the product that its rows name first, or the
 * enterprise that has none. Rows of other insurers are wrong then.
 * @throws Refusal SCM90020 where no row says it, or of a product that the viewer does not see
 */
export async function ownerInFile(kernel: Kernel, ctx: CommandContext, fileId: string, asked: Layout) {
  const file = await openList(kernel, ctx.tx, fileId);
  let places: Places | null = null;
  let looked = 0;
  for await (const row of listRows(file, asked)) {
    if (row.header) {
      places = placesOf(asked, row.cells);
      continue;
    }
    if (!places || (looked += 1) > LOOKED_AT) break;
    const { productCode, coverageStart, holderName } = readRow(asked, rawOf(places, row.cells)).facts.ofPolicy;
    if (productCode === null || coverageStart === null || holderName === null) continue;
    const product = (await resolveByCodes(ctx.tx, [{ productCode, date: coverageStart }])).of(productCode, coverageStart);
    const { insurer: seen } = ctx.staff.scope;
    if (!product || (seen !== null && (product.insurerId === null || !seen.includes(product.insurerId))))
      throw refuseField(
        'fileId',
        `第${row.rowNo}行的产品编码“${productCode}”在${coverageStart}没有已发布版本，无法确定保司；请更正后重新上传，或改用该保司的模板`,
      );
    const insurer = product.insurerId === null ? null : await getInsurer(ctx.tx, product.insurerId);
    return {
      insurerKey: insurerKeyOf(product.insurerId, holderName),
      insurerId: product.insurerId,
      insurerName: insurer?.shortName ?? holderName,
    };
  }
  throw refuseField('policyIds', '清单没有写明产品编码、起保日期和投保人，无法确定保司；请先选择保单，或改用该保司的模板');
}
