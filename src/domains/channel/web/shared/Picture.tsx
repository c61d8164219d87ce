import { QRCode } from 'antd';

/** A code as the browser draws it. */
export function Picture({ link, size }: { link: string; size: number }) {
  return <QRCode value={link} size={size} type="svg" bordered={false} />;
}
