import { Alert, Drawer, Form, Space } from 'antd';
import { useState } from 'react';
import { ImportButton } from '#kernel/web/files/ImportWizard.tsx';
import type { PageWindowProps } from '#kernel/web/pageWindows.tsx';
import { BULK_IMPORTER } from '../../contract/calls/logistics.ts';
import { orderPermissions as may } from '../../contract/permissions.ts';
import { SupplierSelect } from '../fulfilment/SupplierSelect.tsx';

/** 批量发货: a supplier is chosen, then his table is checked, shown and written. */
export function BulkDelivery({ onChanged, onClose }: PageWindowProps) {
  const [supplierId, setSupplierId] = useState<string | null>(null);
  return (
    <Drawer open title="批量发货" size="min(640px, 94vw)" onClose={onClose}>
      <Space orientation="vertical" className="kq-wide">
        <Alert
          showIcon
          type="info"
          title="每行一个商品批次，同一运单的多行合为一个包裹，每次最多200行；冷链药品须逐单发货并上传温控记录。提交后24小时内可在导入记录中整批撤销。"
        />
        <Form layout="vertical">
          <Form.Item label="供应商" required>
            <SupplierSelect value={supplierId} onChange={setSupplierId} />
          </Form.Item>
        </Form>
        {supplierId !== null && (
          <ImportButton
            key={supplierId}
            label="选择发货表格"
            importerCode={BULK_IMPORTER}
            params={{ supplierId }}
            permission={may['fulfilment.ship']}
            onChanged={onChanged}
          />
        )}
      </Space>
    </Drawer>
  );
}
