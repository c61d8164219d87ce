import type { Db, Tx } from '../../../../kernel/server/context.ts';
import type { MaterialContent } from '../../contract/materials/content.ts';
import type { MaterialType } from '../../contract/materials/dictionaries.ts';
import type { MaterialFacts } from '../../contract/materials/render.ts';
import { corpusDb } from '../database.ts';
import { factsOfContents } from './facts.ts';

/** A material in use, as the engine sends it: `renderMaterial(content, { ...facts, values, sendId, token })`. */
export interface UsableMaterial {
  materialId: string;
  materialVersionId: string;
  materialType: MaterialType;
  title: string;
  content: MaterialContent;
  facts: MaterialFacts;
}

/** The materials that are ENABLED, by id, each with its approved content; others are left out. */
export async function materialsFor(db: Db | Tx, ids: readonly string[]): Promise<ReadonlyMap<string, UsableMaterial>> {
  if (ids.length === 0) return new Map();
  const rows = await corpusDb(db)
    .selectFrom('corpusMaterial as m')
    .innerJoin('corpusMaterialVersion as v', 'v.id', 'm.currentVersionId')
    .select(['m.id as materialId', 'v.id as materialVersionId', 'm.materialType', 'm.title', 'v.content'])
    .where('m.id', 'in', [...new Set(ids)])
    .where('m.state', '=', 'ENABLED')
    .execute();
  const found = rows.map((row) => ({ ...row, content: row.content as MaterialContent }));
  const facts = await factsOfContents(
    db,
    found.map(({ content }) => content),
  );
  return new Map(found.map((row, index) => [row.materialId, { ...row, facts: facts[index]! }]));
}

/** Titles of all materials named, whatever their state, by id. */
export async function materialTitles(db: Db | Tx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await corpusDb(db)
    .selectFrom('corpusMaterial')
    .select(['id', 'title'])
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map(({ id, title }) => [id, title]));
}
