import { definePurpose, registerOwner } from '#domains/files/server/index.ts';
import { markPermissions } from '../../contract/permissions.ts';
import { MARK_EVIDENCE } from '../../contract/purposes.ts';
import { markRecords } from './access.ts';

/** Says who may upload the evidence of marks and who may read it. */
export function declareMarkFiles(): void {
  const seesMarks = async ({ staff }: { staff: { permissions: ReadonlySet<string> } }) =>
    staff.permissions.has(markPermissions['specialUser.view'].code);
  definePurpose({
    code: MARK_EVIDENCE,
    label: '特殊用户标记佐证',
    types: ['jpg', 'png', 'pdf'],
    maxSize: 20 * 1024 * 1024,
    count: 5,
    sensitive: true,
    uploadPermissions: [markPermissions['specialUser.edit'].code],
  });
  registerOwner(markRecords.type, { canRead: seesMarks, canReadOriginal: seesMarks });
}
