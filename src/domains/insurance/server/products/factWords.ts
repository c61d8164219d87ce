import { labelsOf } from '#kernel/contract/labels.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import type { CommandContext, Difference } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { getCompanies } from '#domains/pharma/server/index.ts';
import { productLines, productTypes } from '../../contract/businessLines.ts';
import { productFacts, type ProductFacts } from '../../contract/products/facts.ts';
import { ownTx } from '../database.ts';

/** What is another about a product than before, in the words in which its page says it: names, not the ids and codes that are stored. */
export async function factDifferences(
  ctx: CommandContext,
  kernel: Kernel,
  before: ProductFacts | null,
  after: ProductFacts,
): Promise<Difference[]> {
  const both = before === null ? [after] : [before, after];
  const idsOf = (read: (facts: ProductFacts) => string | null) => [...new Set(both.map(read).filter((one) => one !== null))];
  const insurerIds = idsOf(({ insurerId }) => insurerId);
  const insurers =
    insurerIds.length === 0
      ? []
      : await ownTx(ctx.tx).selectFrom('insuranceInsurer').select(['id', 'insurerName as name']).where('id', 'in', insurerIds).execute();
  const payers = await getCompanies(
    ctx.tx,
    idsOf(({ pharmaCompanyId }) => pharmaCompanyId),
  );
  const companies = payers.map(({ companyId, name }) => ({ id: companyId, name }));
  const people = await kernel.ports.people.names(
    ctx.tx,
    idsOf(({ ownerUserId }) => ownerUserId),
  );
  const named = (things: readonly { id: string; name: string }[], id: string | null) =>
    id === null ? null : (things.find((one) => one.id === id)?.name ?? id);
  const shown = (facts: ProductFacts) => ({
    ...facts,
    productLine: productLines.label(facts.productLine),
    productType: productTypes.label(facts.productType),
    insurerId: named(insurers, facts.insurerId),
    pharmaCompanyId: named(companies, facts.pharmaCompanyId),
    ownerUserId: facts.ownerUserId === null ? null : (people.get(facts.ownerUserId) ?? facts.ownerUserId),
    // As in the answer of the detail, a product without regions is sold everywhere.
    adcodes: facts.adcodes.length === 0 ? '全国' : facts.adcodes,
  });
  return differencesOf(before === null ? {} : shown(before), shown(after), labelsOf(productFacts.shape));
}
