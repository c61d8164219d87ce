import { Form } from 'antd';
import type { InputOf } from '#kernel/contract/call.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog, FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { FormRecord } from '#kernel/web/form/FormRecord.tsx';
import { Upload } from '#kernel/web/files/Upload.tsx';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { Money } from '#kernel/web/kit/values.tsx';
import { queryFileList } from '#domains/files/contract/calls/objects.ts';
import { modifyPremiumOrder, setInsurerInvoice, type PremiumRow } from '../../contract/calls/premium.ts';
import { POLICY_LINE_VIEW } from '../../contract/lineView.ts';
import { POLICY_VOUCHER } from '../../contract/purposes.ts';
import { attached } from '../shared/attached.ts';
import { premiumRefreshes as refreshes } from './premiumList.tsx';

interface OrderValues {
  dueOn: string;
  statedFen?: number | null;
  files?: readonly UploadedFile[];
}

/** 编辑: the insurer's figure, the day, the vouchers; lines follow from the cover alone. */
export function OrderForm({ row, onClose }: { row: PremiumRow; onClose(): void }) {
  return (
    <FormRecord
      call={queryFileList}
      input={{ ownerType: 'policy.premiumOrder', ownerId: row.id }}
      title={`编辑保费订单 ${row.premiumOrderNo}`}
      width={640}
      onClose={onClose}
    >
      {(files) => (
        <FormDrawer<typeof modifyPremiumOrder, OrderValues>
          open
          title={`编辑保费订单 ${row.premiumOrderNo}`}
          call={modifyPremiumOrder}
          recordKey={row.id}
          initial={{ dueOn: row.dueOn, files: attached(files), ...(row.statedFen !== null && { statedFen: Number(row.statedFen) }) }}
          toInput={({ files: given, statedFen, dueOn }) => ({
            id: row.id,
            version: row.version,
            dueOn,
            statedFen: statedFen ?? null,
            fileIds: (given ?? []).map(({ fileId }) => fileId),
          })}
          labels={{ dueOn: '到期日', statedFen: '保司金额' }}
          refreshes={[...refreshes, queryFileList]}
          success="修改成功!"
          onClose={onClose}
        >
          <p>
            平台计算金额 <Money fen={row.amountFen} unit />
          </p>
          <Field of={modifyPremiumOrder} name="dueOn" />
          {POLICY_LINE_VIEW[row.productLine].insurerNumbers && (
            <Field of={modifyPremiumOrder} name="statedFen" extra="与平台计算不一致时须上传差异说明" />
          )}
          <Form.Item name="files" label="凭证">
            <Upload purpose={POLICY_VOUCHER} max={10} />
          </Form.Item>
        </FormDrawer>
      )}
    </FormRecord>
  );
}

type InvoiceValues = Pick<InputOf<typeof setInsurerInvoice>, 'insurerInvoiceNo'>;

/** 登记发票: the insurer issues it; an empty number takes it off again. */
export function InvoiceForm({ row, onClose }: { row: PremiumRow; onClose(): void }) {
  return (
    <FormDialog<typeof setInsurerInvoice, InvoiceValues>
      open
      title={`登记保司发票 ${row.premiumOrderNo}`}
      width={480}
      call={setInsurerInvoice}
      recordKey={row.id}
      initial={{ insurerInvoiceNo: row.insurerInvoiceNo ?? '' }}
      toInput={({ insurerInvoiceNo }) => ({ id: row.id, version: row.version, insurerInvoiceNo: insurerInvoiceNo || null })}
      labels={{ insurerInvoiceNo: '保司发票号' }}
      refreshes={refreshes}
      success="操作成功!"
      onClose={onClose}
    >
      <Field of={setInsurerInvoice} name="insurerInvoiceNo" extra="清空即清除登记" />
    </FormDialog>
  );
}
