import { refuseField } from '../../../../kernel/contract/errors.ts';
import { lockKeys } from '../../../../kernel/server/command/lockKeys.ts';
import type { CommandContext } from '../../../../kernel/server/context.ts';
import { getCompanies } from '../../../pharma/server/index.ts';
import { funders } from '../../contract/dictionaries.ts';
import { own } from '../database.ts';

interface Wish {
  funder: (typeof funders.codes)[number];
  funderId: string | null;
  funderName: string;
}

/**
 * Who pays, with the number under which the books know him: a company of the catalogue, an insurer or an enterprise of our own register,
 * which takes up a name that it does not know yet. The platform and customers have none.
 * @throws Refusal SCM90020 naming the field
 */
export async function funderOf(ctx: CommandContext, { funder, funderId, funderName }: Wish): Promise<Wish> {
  if (funder === 'PLATFORM' || funder === 'CUSTOMER') return { funder, funderId: null, funderName: funders.label(funder) };
  if (funder === 'PHARMA') {
    const [company] = funderId === null ? [] : await getCompanies(ctx.tx, [funderId]);
    if (!company) throw refuseField('funderId', '请选择出资药企');
    return { funder, funderId: company.companyId, funderName: company.name.slice(0, 60) };
  }
  const known = own(ctx.tx).selectFrom('cardFunder').select(['id', 'name']).where('funder', '=', funder);
  if (funderId !== null) {
    const found = await known.where('id', '=', funderId).executeTakeFirst();
    if (!found) throw refuseField('funderId', '请选择出资方');
    return { funder, funderId: found.id, funderName: found.name };
  }
  const name = funderName.trim();
  if (name === '') throw refuseField('funderId', '请选择出资方');
  await lockKeys(ctx.tx, 'card.funder', [`${funder}:${name}`]);
  const made =
    (await known.where('name', '=', name).executeTakeFirst()) ??
    (await own(ctx.tx)
      .insertInto('cardFunder')
      .values({ funder, name, createdByName: ctx.staff.displayName, createdAt: ctx.now })
      .returning(['id', 'name'])
      .executeTakeFirstOrThrow());
  return { funder, funderId: made.id, funderName: made.name };
}
