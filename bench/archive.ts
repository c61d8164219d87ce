import { decodePicture } from '#domains/channel/server/codes/draw.ts';
import { unzip } from '#domains/channel/server/testing/unzip.ts';
import { atMostRow, type Row } from './table.ts';

/** `12,"店码-0012",7K3QX9M2DX,https://…/q/7K3QX9M2DX` → code and address. */
const addressesOf = (table: string) =>
  new Map(
    table
      .split('\r\n')
      .slice(1)
      .map((line) => {
        const cells = line.split(',');
        return [cells.at(-2)!, cells.at(-1)!] as const;
      }),
  );

/** Reads every picture of a batch's archive back: one entry per code and the table, each code its own address. */
export async function proveArchive(zip: Buffer, codes: number): Promise<Row[]> {
  const entries = unzip(zip);
  const addresses = addressesOf(entries.find(({ name }) => name === 'index.csv')?.bytes.toString() ?? '');
  let wrong = 0;
  for (const { name, bytes } of entries.filter(({ name: one }) => one !== 'index.csv')) {
    const token = /_([0-9A-Z]{10})\.png$/.exec(name)?.[1] ?? '';
    const address = addresses.get(token);
    if (!address?.endsWith(`/q/${token}`) || (await decodePicture(bytes)) !== address) wrong += 1;
  }
  return [
    atMostRow(
      `entries of its ZIP that are missing or too many, of ${codes + 1}`,
      Math.abs(entries.length - codes - 1) + Math.abs(addresses.size - codes),
      0,
    ),
    atMostRow('pictures that do not read back as their own address', wrong, 0),
  ];
}
