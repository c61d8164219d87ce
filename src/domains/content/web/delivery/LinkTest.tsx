import { Button, Modal, QRCode } from 'antd';
import { webConfig } from '#kernel/web/config.ts';
import { testAddress, type Link } from '../../contract/delivery/links.ts';

/** 测试跳转: a code that a phone scans to see where the link leads. */
export function LinkTest({ link, onClose }: { link: Link; onClose(): void }) {
  const address = testAddress(link, webConfig().appOpenUrl);
  return (
    <Modal open title="测试跳转" width={360} onCancel={onClose} footer={<Button onClick={onClose}>关闭</Button>}>
      <div className="dl-code">
        <QRCode value={address} size={220} type="svg" />
        <p>{link.linkType === 'H5' ? '用手机扫码打开网页' : '用微信扫码，在小程序中打开'}</p>
        {link.linkType === 'H5' ? (
          <a href={address} target="_blank" rel="noopener noreferrer">
            {address}
          </a>
        ) : (
          <span className="kq-muted">{address}</span>
        )}
      </div>
    </Modal>
  );
}
