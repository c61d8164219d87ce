import type { InputOf } from '#kernel/contract/call.ts';
import type { Day } from '#kernel/contract/time.ts';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { certTypes, type CertType, type titles } from '../../contract/dictionaries.ts';
import type { addDoctorInfo } from '../../contract/calls/doctors.ts';

export interface CertValues {
  files?: readonly UploadedFile[];
  certNo?: string;
  holderName?: string;
  hospitalName?: string;
  hospitalId?: string | null;
  titleCode?: (typeof titles.codes)[number] | null;
  issuer?: string;
  validFrom?: Day | null;
  validTo?: Day | null;
}
type CertsInput = InputOf<typeof addDoctorInfo>['certs'];

/** Certificates that were filled in; the identity card bears the number typed above. */
export const certsOf = (certs: Partial<Record<CertType, CertValues>>, person: { name: string; idNo: string | null }): CertsInput =>
  certTypes.codes.flatMap((certType) => {
    const cert = certs[certType];
    if (!cert?.files?.length) return [];
    const certNo = cert.certNo?.trim() || (certType === 'ID_CARD' ? (person.idNo ?? '') : '');
    return [
      {
        certType,
        certNo,
        fileIds: cert.files.map(({ fileId }) => fileId),
        holderName: cert.holderName?.trim() || person.name,
        hospitalName: cert.hospitalName?.trim() || null,
        titleCode: cert.titleCode ?? null,
        hospitalId: cert.hospitalId ?? null,
        issuer: cert.issuer?.trim() ?? '',
        validFrom: cert.validFrom ?? null,
        validTo: cert.validTo ?? null,
      },
    ];
  });
