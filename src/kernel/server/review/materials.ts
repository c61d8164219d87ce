import { sql } from 'kysely';
import type * as z from 'zod/mini';
import type { MaterialVerdict, materialWork } from '../../contract/evidence.ts';
import { platformErrors, refuse } from '../../contract/errors.ts';
import type { Day } from '../../contract/time.ts';
import type { Db, Tx } from '../context.ts';
import { sealed, unsealed, withChange, type Readings } from './readings.ts';
import { ofOwner, tableOf, type Owner, type ReviewSettings, type Writes } from './review.ts';

export interface HandedIn<Type extends string> {
  materialType: Type;
  fileId: string;
  replacesId?: string | undefined;
}

export interface Material<Type extends string> {
  id: string;
  materialType: Type;
  fileId: string;
  supplementId: string | null;
  read: Record<string, string>;
  confirmed: Record<string, string>;
  issuedOn: Day | null;
  issuer: string;
  verdict: MaterialVerdict | null;
  reason: string;
}

type Row<Type extends string> = Omit<Material<Type>, 'read' | 'confirmed'> & { readCipher: string | null; confirmedCipher: string | null };
type Work = z.output<typeof materialWork>;

const isUsable = ({ verdict }: { verdict: MaterialVerdict | null }): boolean => verdict === null || verdict === 'OK';
const whole = (readings: Readings): Record<string, string> =>
  Object.fromEntries(Object.entries(readings).flatMap(([field, value]) => (value === undefined ? [] : [[field, value]])));

/** What is handed in for cases; a better copy is a row of its own, and what it replaces is not shown any more. */
export function materialsOf<Type extends string, Signal extends string>({ prefix, secrets }: ReviewSettings<Type, Signal>) {
  const table = tableOf(prefix, 'material');
  const rowsOf = async (db: Db | Tx, owner: Owner): Promise<Row<Type>[]> => {
    const { rows } = await sql<Row<Type>>`
      select id, material_type, file_id, supplement_id, read_cipher, confirmed_cipher, issued_on, issuer, verdict, reason
        from ${table} m where ${ofOwner(owner)} and not exists (select from ${table} better where better.replaces_id = m.id) order by id
    `.execute(db);
    return rows;
  };
  const known = (row: Row<Type> | undefined): Row<Type> => {
    if (!row) throw refuse(platformErrors.NOT_FOUND, { message: '材料不存在或已被替换' });
    return row;
  };

  return {
    /**
     * @param personKey keyed hash of whom the case is about
     * @throws Refusal SCM90040 where what is to be replaced is none of the case's
     */
    async add(
      { tx, now, staffOrNull }: Writes,
      owner: Owner,
      handedIn: readonly HandedIn<Type>[],
      { personKey = null, supplementId = null }: { personKey?: string | null; supplementId?: string | null } = {},
    ): Promise<void> {
      const there = handedIn.some(({ replacesId }) => replacesId !== undefined) ? await rowsOf(tx, owner) : [];
      for (const { replacesId } of handedIn) if (replacesId !== undefined) known(there.find(({ id }) => id === replacesId));
      const by = staffOrNull?.userId ?? null;
      for (const { materialType, fileId, replacesId = null } of handedIn)
        await sql`
          insert into ${table}
            (owner_type, owner_id, person_key, material_type, file_id, supplement_id, replaces_id, created_by, created_at)
          values (${owner.type}, ${owner.id}, ${personKey}, ${materialType}, ${fileId}, ${supplementId}, ${replacesId}, ${by}, ${now})
        `.execute(tx);
    },

    /** In the order in which they came, without those that a better copy replaces. */
    async of(db: Db | Tx, owner: Owner): Promise<Material<Type>[]> {
      return (await rowsOf(db, owner)).map(({ readCipher, confirmedCipher, ...row }) => ({
        ...row,
        read: whole(unsealed(secrets, readCipher)),
        confirmed: whole(unsealed(secrets, confirmedCipher)),
      }));
    },

    /** What the machine read on one. */
    async readBy({ tx }: Pick<Writes, 'tx'>, owner: Owner, id: string, read: Readings): Promise<void> {
      await sql`update ${table} set read_cipher = ${sealed(secrets, read)} where ${ofOwner(owner)} and id = ${id}`.execute(tx);
    },

    /** What a reviewer has found so far. @throws Refusal SCM90040 for what is none of the case's materials */
    async judge({ tx, now, staffOrNull }: Writes, owner: Owner, works: readonly Work[]): Promise<void> {
      const there = works.length > 0 ? await rowsOf(tx, owner) : [];
      for (const { id, confirmed, ...work } of works) {
        const row = known(there.find((one) => one.id === id));
        const { verdict = row.verdict, reason = row.reason, issuedOn = row.issuedOn, issuer = row.issuer } = work;
        const cipher = confirmed ? sealed(secrets, withChange(unsealed(secrets, row.confirmedCipher), confirmed)) : row.confirmedCipher;
        await sql`
          update ${table} set verdict = ${verdict}, reason = ${reason}, issued_on = ${issuedOn}, issuer = ${issuer},
              confirmed_cipher = ${cipher}, judged_by = ${staffOrNull?.userId ?? null}, judged_at = ${now}
            where id = ${id}
        `.execute(tx);
      }
    },

    /** Types of these of which nothing is there that a reviewer has not turned down. */
    async missing(db: Db | Tx, owner: Owner, required: readonly Type[]): Promise<Type[]> {
      const usable = (await rowsOf(db, owner)).filter(isUsable);
      return required.filter((type) => !usable.some(({ materialType }) => materialType === type));
    },
  };
}
