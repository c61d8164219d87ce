import { QRCode } from 'antd';

/** A code as the browser draws it. */
export function Picture({ link, size }: { link: string; size: number }) {
  return (
    <span role="img" aria-label="二维码">
      <QRCode value={link} size={size} type="svg" bordered={false} aria-hidden />
    </span>
  );
}
