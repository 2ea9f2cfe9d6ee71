import { cx, shortAddress } from '@bourse/ui';

/**
 * An address or hash: its first and last six characters, whole in the tooltip and to screen readers; in full where it
 * is to be compared.
 */
export function AddressText({
  children,
  full = false,
  className,
}: {
  children: string;
  full?: boolean;
  className?: string;
}) {
  if (full)
    return (
      <bdi dir="ltr" className={cx('font-mono break-all', className)}>
        {children}
      </bdi>
    );
  return (
    <>
      <bdi dir="ltr" aria-hidden title={children} className={cx('font-mono', className)}>
        {shortAddress(children)}
      </bdi>
      <bdi dir="ltr" className="sr-only">
        {children}
      </bdi>
    </>
  );
}
