import { QRCode } from 'antd';

/** A link as a code to scan. */
export default function Qr({ value }: { value: string }) {
  return <QRCode value={value} size={148} type="svg" bordered={false} />;
}
