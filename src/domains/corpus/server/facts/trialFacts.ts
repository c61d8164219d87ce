import { sql } from 'kysely';
import type { Fact } from '../../../../kernel/contract/rules/rule.ts';
import { scopedResource, scopeFilter } from '../../../../kernel/server/auth/scope.ts';
import { corpusDb } from '../database.ts';
import type { FactSource } from './factSource.ts';

/** Trial facts name neither region nor owner, so a reader restricted by them sees none. */
const resource = scopedResource({ region: 'deny', insurer: 'free', channel: 'free', own: 'deny' });

type StoredFact = { value: string | null; at: string | null; sourceLabel: string; sourceRoute?: string };

/** Facts of the demonstration's patients, until the patient domain gives those of real ones. */
export const trialFacts: FactSource = {
  async searchPatients(db, reader, { scenePackageId, keyword }) {
    let query = corpusDb(db)
      .selectFrom('corpusTrialFact as f')
      .select(['f.patientId', 'f.patientName', 'f.sex', 'f.age'])
      .where(scopeFilter(resource, reader));
    if (keyword !== null) query = query.where(sql<boolean>`position(lower(${keyword}) in lower(f.patient_name)) > 0`);
    const rows = await query
      .orderBy(
        sql`f.disease_code = (select d.disease_code from corpus_scene_package p join corpus_disease d on d.id = p.disease_id where p.id = ${scenePackageId})`,
        'desc',
      )
      .orderBy('f.patientId')
      .limit(20)
      .execute();
    return rows.map((row) => ({ ...row, sex: row.sex as 1 | 2 }));
  },

  async factsFor(db, reader, units, variableCodes) {
    if (units.length === 0) return new Map();
    const wanted = new Map(units.map((unit) => [unit.patientId, unit.conversationId]));
    const rows = await corpusDb(db)
      .selectFrom('corpusTrialFact as f')
      .select(['f.patientId', 'f.conversationId', 'f.facts'])
      .where('f.patientId', 'in', [...wanted.keys()])
      .where(scopeFilter(resource, reader))
      .execute();
    return new Map(
      rows
        .filter((row) => [null, row.conversationId].includes(wanted.get(row.patientId) ?? null))
        .map((row) => {
          const stored = row.facts as Record<string, StoredFact>;
          const known = variableCodes.flatMap((code): [string, Fact][] => {
            const fact = stored[code];
            if (!fact) return [];
            const { sourceLabel, sourceRoute, ...rest } = fact;
            return [[code, { ...rest, source: sourceLabel, ...(sourceRoute ? { sourceRoute } : {}) }]];
          });
          return [row.patientId, new Map(known)];
        }),
    );
  },
};
