import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmDelete, confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { SERVER_MESSAGE, useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { param } from '#kernel/web/router/address.ts';
import { useAddress } from '#kernel/web/tabs/page.tsx';
import {
  changePharmaCompanyState,
  delPharmaCompany,
  exportPharmaCompanyList,
  queryPharmaCompanyList,
  type CompanyRow,
} from '../../contract/calls/companies.ts';
import { pharmaPermissions as may } from '../../contract/permissions.ts';
import { companyMachine } from '../../contract/states.ts';
import { companyList } from './companyList.tsx';

const CompanyDrawer = lazy(async () => ({ default: (await import('./CompanyDrawer.tsx')).CompanyDrawer }));
const CompanyForm = lazy(async () => ({ default: (await import('./CompanyForm.tsx')).CompanyForm }));

const address = { companyId: param.optional() };

/** Tab 药企. */
export function Companies() {
  const [form, setForm] = useState<{ company: CompanyRow | null } | null>(null);
  const [{ companyId }, setAddress] = useAddress(address);
  const change = useCommand(changePharmaCompanyState, { success: SERVER_MESSAGE, refreshes: [queryPharmaCompanyList] });
  const remove = useCommand(delPharmaCompany, { success: '删除成功!', refreshes: [queryPharmaCompanyList] });
  const changeState = (action: 'disable' | 'enable') => async (company: CompanyRow) => {
    const { label, opinion } = companyMachine.transitions[action];
    const given = await confirmWithOpinion({
      title: label,
      content: `确定要${label}${company.name}吗?`,
      facts: factsIn(queryPharmaCompanyList.output, company, ['companyNo', 'roles', 'lineCount', 'medicineCount', 'agentCount']),
      danger: action === 'disable',
      opinion: opinion === 'required' ? 'required' : 'optional',
    });
    if (given !== null) await change.run({ id: company.id, version: company.version, action, ...(given && { opinion: given }) });
  };
  const actions: readonly RowAction<CompanyRow>[] = [
    { label: '详情', act: (company) => setAddress({ companyId: company.id }) },
    { label: '编辑', permission: may['company.edit'], act: (company) => setForm({ company }) },
    {
      label: '停用',
      permission: may['company.state'],
      danger: true,
      when: (company) => companyMachine.canStart('disable', company.state),
      act: changeState('disable'),
    },
    {
      label: '启用',
      permission: may['company.state'],
      when: (company) => companyMachine.canStart('enable', company.state),
      act: changeState('enable'),
    },
    {
      label: '删除',
      permission: may['company.edit'],
      danger: true,
      when: (company) => company.lineCount + company.medicineCount + company.agentCount === 0,
      act: async (company) => {
        if (await confirmDelete(`药企“${company.name}”（${company.companyNo}）`))
          await remove.run({ id: company.id, version: company.version });
      },
    },
  ];
  return (
    <>
      <ResourceList
        of={companyList}
        actions={actions}
        toolbar={(view) => (
          <>
            <Can permission={may['company.edit']}>
              <Button type="primary" onClick={() => setForm({ company: null })}>
                新增药企
              </Button>
            </Can>
            <ExportButton call={exportPharmaCompanyList} view={view} permission={may['company.export']} />
          </>
        )}
      />
      <Suspense fallback={null}>{form && <CompanyForm company={form.company} onClose={() => setForm(null)} />}</Suspense>
      <Suspense fallback={null}>
        {companyId && <CompanyDrawer companyId={companyId} onClose={() => setAddress({ companyId: undefined })} />}
      </Suspense>
    </>
  );
}
