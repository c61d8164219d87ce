import { Form, Input, Select } from 'antd';
import type { InputOf } from '../../../../kernel/contract/call.ts';
import { displayBy } from '../../../../kernel/web/form/conflictRows.ts';
import { FormDrawer } from '../../../../kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE } from '../../../../kernel/web/http/queries.ts';
import {
  addPharmaCompany,
  modifyPharmaCompany,
  queryPharmaCompanyDetail,
  queryPharmaCompanyList,
  type CompanyRow,
} from '../../contract/calls/companies.ts';
import { companyRoles } from '../../contract/dictionaries.ts';
import { PHARMA_PAPER } from '../../contract/purposes.ts';
import { isUscc } from '../../../../kernel/contract/uscc.ts';
import { countries, countryName } from '../../contract/countries.ts';
import { companyLabels } from '../../contract/labels.ts';
import { DayField } from '../shared/fields.tsx';
import { FileField, FilesField } from '../shared/files.tsx';
import '../pharma.css';

type Values = InputOf<typeof addPharmaCompany>;

const countryOptions = countries.map(([value, label]) => ({ value, label }));
const display = displayBy({ roles: companyRoles, country: { label: countryName } });
const valuesOf = ({ contactMobile: _, ...values }: Record<string, unknown>) => values as Partial<Values>;

/** Fields that an empty input clears; the mobile is sent only when something was typed. */
const toValues = ({ contactMobile, ...values }: Values): Values => ({ ...values, ...(contactMobile ? { contactMobile } : {}) });

/** Drawer 新增/编辑药企. */
export function CompanyForm({ company, onClose }: { company: CompanyRow | null; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const country = Form.useWatch('country', form) ?? company?.country ?? 'CN';
  const shared = {
    open: true,
    onClose,
    refreshes: [queryPharmaCompanyList, queryPharmaCompanyDetail],
    form,
    labels: companyLabels,
  } as const;
  const fields = (
    <div className="ph-two">
      <Form.Item
        label={companyLabels.name}
        name="name"
        className="ph-full"
        rules={[{ required: true, whitespace: true, message: '请输入药企名称' }]}
      >
        <Input maxLength={100} />
      </Form.Item>
      <Form.Item label="药企简称" name="shortName" rules={[{ required: true, whitespace: true, message: '请输入药企简称' }]}>
        <Input maxLength={20} />
      </Form.Item>
      <Form.Item label={companyLabels.roles} name="roles" rules={[{ required: true, message: '请至少选择一个角色' }]}>
        <Select placeholder="请选择" mode="multiple" options={companyRoles.options.map(({ value, label }) => ({ value, label }))} />
      </Form.Item>
      <Form.Item label="国家或地区" name="country" rules={[{ required: true, message: '请选择国家或地区' }]}>
        <Select showSearch={{ optionFilterProp: 'label' }} options={countryOptions} placeholder="请选择" />
      </Form.Item>
      <Form.Item
        label="统一社会信用代码"
        name="uscc"
        rules={[
          { required: country === 'CN', message: '请输入统一社会信用代码' },
          {
            validator: async (_rule, text?: string | null) => {
              if (text && !isUscc(text.trim().toUpperCase())) throw new Error('统一社会信用代码校验不通过');
            },
          },
        ]}
      >
        <Input maxLength={18} />
      </Form.Item>
      <Form.Item label={companyLabels.contactName} name="contactName">
        <Input maxLength={30} />
      </Form.Item>
      <Form.Item
        label={companyLabels.contactMobile}
        name="contactMobile"
        rules={[{ pattern: /^1[3-9]\d{9}$/, message: '请输入11位手机号码' }]}
      >
        <Input maxLength={11} placeholder={company?.contactMobile ? `${company.contactMobile}（不修改请留空）` : '请输入'} />
      </Form.Item>
      <Form.Item label={companyLabels.contactEmail} name="contactEmail" rules={[{ type: 'email', message: '请输入正确的邮箱' }]}>
        <Input maxLength={100} />
      </Form.Item>
      <Form.Item label={companyLabels.licenceValidTo} name="licenceValidTo">
        <DayField />
      </Form.Item>
      <Form.Item label={companyLabels.address} name="address" className="ph-full">
        <Input maxLength={200} />
      </Form.Item>
      <Form.Item label="药物警戒联系人" name={['pvContact', 'name']}>
        <Input maxLength={30} />
      </Form.Item>
      <Form.Item
        label="药物警戒邮箱"
        name={['pvContact', 'email']}
        rules={[{ type: 'email', message: '请输入正确的邮箱' }]}
        extra="不良反应报告转报到这个邮箱"
      >
        <Input maxLength={100} />
      </Form.Item>
      <Form.Item label="药物警戒电话" name={['pvContact', 'phone']}>
        <Input maxLength={30} />
      </Form.Item>
      <Form.Item label="企业标识" name="logoFileId" className="ph-full">
        <FileField purpose={PHARMA_PAPER} ownerType="pharma.company" ownerId={company?.id} hint="jpg、png，在列表中显示" />
      </Form.Item>
      <Form.Item label={companyLabels.licenceFileIds} name="licenceFileIds" className="ph-full">
        <FilesField purpose={PHARMA_PAPER} max={10} ownerType="pharma.company" ownerId={company?.id} hint="jpg、png、pdf，最多10个" />
      </Form.Item>
    </div>
  );
  if (!company)
    return (
      <FormDrawer<typeof addPharmaCompany, Values>
        {...shared}
        title="新增药企"
        call={addPharmaCompany}
        toInput={toValues}
        initial={{ country: 'CN', licenceFileIds: [] }}
        success={SERVER_MESSAGE}
      >
        {fields}
      </FormDrawer>
    );
  return (
    <FormDrawer<typeof modifyPharmaCompany, Values>
      {...shared}
      title={`编辑药企：${company.name}`}
      call={modifyPharmaCompany}
      recordKey={company.id}
      toInput={(values) => ({ ...toValues(values), id: company.id, version: company.version })}
      initial={valuesOf({ ...company })}
      success="修改成功!"
      display={display}
      valuesOf={valuesOf}
    >
      {fields}
    </FormDrawer>
  );
}
