import { sql } from 'kysely';
import { refuseField } from '#kernel/contract/errors.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { findInsurer } from '#domains/insurance/server/index.ts';
import { getCompanies } from '#domains/pharma/server/index.ts';
import { funders } from '../../contract/dictionaries.ts';
import { own } from '../database.ts';

interface Wish {
  funder: (typeof funders.codes)[number];
  funderId: string | null;
  funderName: string;
}

/**
 * Who pays, with the number under which the books know him: a company of the catalogue, an insurer of insurance or an enterprise, which our
 * own register takes up when it does not know them yet. The platform and customers have none.
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
    funder === 'INSURER'
      ? await insurerFunder(ctx, name)
      : ((await known.where('name', '=', name).executeTakeFirst()) ?? (await register(ctx, { funder, name })));
  return { funder, funderId: made.id, funderName: made.name };
}

const register = (ctx: CommandContext, row: { funder: 'INSURER' | 'SPONSOR'; name: string; insurerId?: string }) =>
  own(ctx.tx)
    .insertInto('cardFunder')
    .values({ ...row, createdByName: ctx.staff.displayName, createdAt: ctx.now })
    .returning(['id', 'name'])
    .executeTakeFirstOrThrow();

/** An insurer keeps its number whatever it is called, also one that was typed by its name before. */
async function insurerFunder(ctx: CommandContext, name: string): Promise<{ id: string; name: string }> {
  const insurer = await findInsurer(ctx.tx, name);
  if (!insurer) throw refuseField('funderId', '请选择已启用的保司，没有时先在产品后台的保司中新增');
  const { insurerId } = insurer;
  const row = await own(ctx.tx)
    .selectFrom('cardFunder')
    .select(['id', 'insurerId'])
    .where('funder', '=', 'INSURER')
    .where((eb) => eb.or([eb('insurerId', '=', insurerId), eb.and([eb('insurerId', 'is', null), eb('name', '=', name)])]))
    .orderBy('insurerId', sql`asc nulls last`)
    .limit(1)
    .executeTakeFirst();
  if (!row) return register(ctx, { funder: 'INSURER', name, insurerId });
  if (row.insurerId === null) await own(ctx.tx).updateTable('cardFunder').set({ insurerId }).where('id', '=', row.id).execute();
  return { id: row.id, name };
}
