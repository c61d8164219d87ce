import * as z from 'zod/mini';
import { idOut } from '#kernel/contract/fields.ts';
import type { Benefit } from './document.ts';

const named = z.array(z.strictObject({ id: idOut, name: z.string() }));

/** What things are called that a document holds the ids of. */
export const namedThings = z.strictObject({
  formularies: named,
  formularyVersions: z.array(z.strictObject({ id: idOut, versionNo: z.int() })),
  hospitals: named,
  drugstores: named,
  files: named,
});
export type NamedThings = z.output<typeof namedThings>;

export interface Names {
  /** 《特药目录》（按购药日期）, or 《特药目录》V2 where a version is fixed. */
  formulary(benefit: Pick<Benefit, 'formularyId' | 'formularyMode' | 'formularyVersionId'>): string;
  hospital(id: string): string;
  drugstore(id: string): string;
  /** 《条款.pdf》; an upload of this page is known to nobody else yet. */
  file(id: string): string;
}
export const noNames: Names = {
  formulary: ({ formularyId }) => (formularyId === null ? '' : '所选药品目录'),
  hospital: (id) => `医院${id}`,
  drugstore: (id) => `药店${id}`,
  file: () => '已上传',
};

const byId = (things: NamedThings['hospitals']) => new Map(things.map(({ id, name }) => [id, name]));

export function namesFrom(things: NamedThings): Names {
  const hospitals = byId(things.hospitals);
  const drugstores = byId(things.drugstores);
  const files = byId(things.files);
  const lists = byId(things.formularies);
  return {
    formulary(benefit) {
      const { formularyId, formularyMode, formularyVersionId } = benefit;
      const name = formularyId === null ? undefined : lists.get(formularyId);
      if (name === undefined) return noNames.formulary(benefit);
      const no = things.formularyVersions.find(({ id }) => id === formularyVersionId)?.versionNo;
      return formularyMode === 'PINNED' ? `《${name}》${no === undefined ? '' : `V${no}`}` : `《${name}》（按购药日期）`;
    },
    hospital: (id) => hospitals.get(id) ?? noNames.hospital(id),
    drugstore: (id) => drugstores.get(id) ?? noNames.drugstore(id),
    file: (id) => files.get(id) ?? noNames.file(id),
  };
}
