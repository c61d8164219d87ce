import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { ID_CARD_GRACE_DAYS } from './blocking.ts';
import { certJob } from './expireJob.ts';
import { registerCertOwner } from './files.ts';
import { certHandlers } from './handlers.ts';
import { certExport } from './list.ts';

export const certsModule: FeatureModule = {
  handlers: (kernel) => {
    registerCertOwner();
    return certHandlers(kernel);
  },
  jobs: [certJob],
  exports: [certExport],
  invariants: [
    [
      'I2 已认证医生证件或机构不齐',
      `
        select count(*)::int as n
          from doctor_doctor d
          where d.qual_state = 'APPROVED'
            and d.account_state <> 'CANCELLED'
            and (
              d.hospital_id is null
              or exists (
                select 1
                  from unnest(array['QUALIFICATION', 'PRACTICE']) t
                  where not exists (select 1 from doctor_cert c where c.doctor_id = d.id and c.cert_type = t and c.state = 'VALID')
              )
              or not exists (
                select 1
                  from doctor_cert c
                  where c.doctor_id = d.id
                    and c.cert_type = 'ID_CARD'
                    and (c.state = 'VALID' or c.state = 'EXPIRED' and c.valid_to + ${ID_CARD_GRACE_DAYS} >= :today)
              )
            )`,
    ],
  ],
};
