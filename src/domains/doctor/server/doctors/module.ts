import { query } from '../../../../kernel/server/handler.ts';
import { queryDoctorCounts } from '../../contract/calls/doctors.ts';
import { querySelectOptions } from '../../contract/calls/options.ts';
import type { FeatureModule } from '../../../../kernel/server/featureModule.ts';
import { writeDoctors } from '../demo/writeDoctors.ts';
import { acceptChange, acceptJob } from './accept.ts';
import { doctorCounts } from './counts.ts';
import { doctorDetail } from './detail.ts';
import { doctorExport } from './exports.ts';
import { registerAvatars } from './files.ts';
import { doctorForChat } from './forChat.ts';
import { doctorImporter } from './importer.ts';
import { doctorList } from './list.ts';
import { selectOptions } from './options.ts';
import { reveal } from './reveal.ts';
import { addition, modification } from './save.ts';
import { cancel, freeze, unfreeze } from './state.ts';

export const doctorsModule: FeatureModule = {
  handlers: (kernel) => {
    registerAvatars();
    const list = doctorList(kernel);
    return [
      list.handler,
      query(queryDoctorCounts, (_input, ctx) => doctorCounts(ctx.db, ctx.staff, ctx)),
      query(querySelectOptions, (wish, ctx) => selectOptions(ctx.db, ctx.staff, wish)),
      doctorDetail(kernel),
      doctorForChat(kernel),
      addition(kernel),
      modification(kernel),
      freeze,
      unfreeze,
      cancel(kernel),
      acceptChange,
      reveal(kernel),
    ];
  },
  jobs: [acceptJob],
  exports: (kernel) => [doctorExport(kernel, doctorList(kernel))],
  importers: (kernel) => [doctorImporter(kernel)],
  demo: writeDoctors,
  invariants: [
    [
      'I1 手机号或身份证重复',
      `
        select count(*)::int as n
          from (
            select mobile_hash
              from doctor_doctor
              where account_state <> 'CANCELLED'
              group by 1
              having count(*) > 1
            union all
            select id_no_hash
              from doctor_doctor
              where account_state <> 'CANCELLED' and id_no_hash is not null
              group by 1
              having count(*) > 1
          ) x`,
    ],
  ],
};
