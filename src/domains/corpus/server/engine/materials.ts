import type { Db } from '#kernel/server/context.ts';
import { renderMaterial, type Bubble as Rendered } from '../../contract/materials/render.ts';
import { variablesIn } from '../../contract/materials/text.ts';
import { materialsFor } from '../materials/forEngine.ts';

/** A material as the engine may send it now. */
export interface Sendable {
  materialId: string;
  /** null: it is not in use. */
  versionId: string | null;
  title: string;
  /** In use, and all that it names is there. */
  enabled: boolean;
  /** The medicine of its card, where that is sold on prescription only. */
  rxMedicineId: string | null;
  /** The questionnaire that it asks for, and for how long. */
  form: { questionnaireId: string; validDays: number } | null;
  /** Names of the variables that its text shows. */
  variables: readonly string[];
  /** The bubble for one touch; null: it names something that is gone. */
  bubble(touch: { sendId: string; token: string | null; values: Readonly<Record<string, string>> }): Rendered | null;
}

const PREVIEW = { sendId: 'preview', token: null, values: {} };

/** Materials by their ids, as their versions in use say. */
export async function sendables(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, Sendable>> {
  return new Map(
    [...(await materialsFor(db, ids))].map(([id, { title, usable: material }]): [string, Sendable] => {
      const bubble: Sendable['bubble'] = (touch) => (material ? renderMaterial(material.content, { ...material.facts, ...touch }) : null);
      const medicine = material?.facts.medicine;
      return [
        id,
        {
          materialId: id,
          versionId: material?.materialVersionId ?? null,
          title,
          enabled: bubble(PREVIEW) !== null,
          rxMedicineId: medicine?.rxRequired ? medicine.medicineId : null,
          form: material?.content.type === 'QUESTIONNAIRE' ? material.content : null,
          variables: material?.content.type === 'TEXT' ? variablesIn(material.content.text) : [],
          bubble,
        },
      ];
    }),
  );
}
