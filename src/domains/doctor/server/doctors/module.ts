import { query } from '#kernel/server/handler.ts';
import { queryDoctorCounts } from '../../contract/calls/doctors.ts';
import { querySelectOptions } from '../../contract/calls/options.ts';
import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { writeDoctors } from '../demo/writeDoctors.ts';
import { acceptChange, acceptJob } from './practice/accept.ts';
import { doctorCounts, doctorList, doctorExport } from './record/list.ts';
import { doctorDetail, reveal } from './record/detail.ts';
import { registerAvatars } from './entry/files.ts';
import { doctorForChat } from './record/forChat.ts';
import { doctorImporter } from './entry/importer.ts';
import { selectOptions } from './record/options.ts';
import { addition, modification } from './entry/save.ts';
import { cancel, freeze, unfreeze } from './practice/state.ts';

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
