import type { FeatureModule } from '#kernel/server/featureModule.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { attachments } from '../attachments.ts';
import { changeCompanyState, companyDetail, removeCompany, revealCompanyMobile } from './companyHandlers.ts';
import { companyExport, companyList } from './list.ts';
import { addCompany, modifyCompany } from './saveCompany.ts';

export function companiesModule(kernel: Kernel): FeatureModule {
  const { secrets } = kernel;
  const list = companyList(kernel);
  return {
    handlers: [
      list.handler,
      companyDetail,
      addCompany(secrets, attachments),
      modifyCompany(secrets, attachments),
      changeCompanyState,
      removeCompany,
      revealCompanyMobile(secrets),
    ],
    exports: [companyExport(list)],
  };
}
