import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { TestOwner } from '../../contract/tests/dictionaries.ts';
import { specOf } from '../adjudication/specOf.ts';
import { contentOf, controlHashOf, controlSpecOf } from '../controls/content.ts';
import { ruleVersionRecords } from '../controls/records.ts';
import { contentHashOf } from '../products/document.ts';
import { versionRecords } from '../products/records.ts';
import type { ReplayContent } from './batch.ts';

export interface Owner {
  name: string;
  contentHash: string;
  content: ReplayContent;
}

/** The draft of a replay as it stands now. @throws Refusal SCM90040 */
export async function ownerOf(db: Db | Tx, viewer: Viewer, ownerType: TestOwner, ownerId: string): Promise<Owner> {
  if (ownerType === 'PRODUCT_VERSION') {
    const version = await versionRecords.get(db, viewer, ownerId);
    const spec = await specOf(db, ownerId);
    if (!spec) throw refuse(platformErrors.NOT_FOUND);
    return { name: `${version.productCode} V${version.versionNo}`, contentHash: spec.contentHash, content: { kind: 'SPEC', spec } };
  }
  const row = await ruleVersionRecords.get(db, viewer, ownerId);
  if (row.stage !== 'CLAIM' && row.stage !== 'DIRECT') throw refuseField('ownerId', '只有直付授权和理赔审核环节的规则可以回放');
  return {
    name: `${row.ruleCode} V${row.versionNo}`,
    contentHash: controlHashOf(contentOf(row)),
    content: { kind: 'CONTROL', stage: row.stage, control: controlSpecOf(row) },
  };
}

/** Digest of the content as it stands now; null where the version is gone. */
export async function hashNow(db: Db | Tx, ownerType: TestOwner, ownerId: string): Promise<string | null> {
  if (ownerType === 'CONTROL_RULE_VERSION') {
    const row = await ruleVersionRecords.find(db, ruleVersionRecords.everyone, ownerId);
    return row ? controlHashOf(contentOf(row)) : null;
  }
  return (await versionRecords.find(db, versionRecords.everyone, ownerId)) ? contentHashOf(db, ownerId) : null;
}
