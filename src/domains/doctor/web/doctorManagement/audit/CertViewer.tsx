import { EvidenceViewer } from '#kernel/web/audit/EvidenceViewer.tsx';
import type { Evidence } from '#kernel/web/audit/evidence.ts';
import { certTypes } from '../../../contract/dictionaries.ts';
import type { QualCert, QualDetail } from '../../../contract/calls/qual.ts';

const OWNER = 'doctor.qualApply';

interface CertViewerProps {
  apply: QualDetail;
  /** Index of the certificate that is shown. */
  at: number;
  onChoose(at: number): void;
}

/** The one in force; what came without an application stands at the doctor himself. */
const formerOf = (former: QualCert['former'], doctorId: string): Evidence['former'] =>
  former && {
    label: `原证件${former.validTo ? `（至${former.validTo}）` : ''}`,
    fileIds: former.fileIds,
    ...(former.qualApplyId ? { ownerType: OWNER, ownerId: former.qualApplyId } : { ownerType: 'doctor.cert', ownerId: doctorId }),
  };

/** Pictures of the certificates of an application, beside those that they replace, and the portrait. */
export function CertViewer({ apply, at, onChoose }: CertViewerProps) {
  const { avatarFileId, doctorId } = apply;
  return (
    <EvidenceViewer
      caseId={apply.id}
      name="证件"
      items={apply.certs.map(({ id, certType, fileIds, former }) => ({
        id,
        label: certTypes.label(certType),
        fileIds,
        ownerType: OWNER,
        ownerId: apply.id,
        former: formerOf(former, doctorId),
      }))}
      at={at}
      onChoose={onChoose}
      aside={
        avatarFileId === null
          ? null
          : { id: 'portrait', keys: 'H', label: '头像', fileIds: [avatarFileId], ownerType: 'doctor.doctor', ownerId: doctorId }
      }
    />
  );
}
