// Which tab an address's fragment is of. Read's is empty, or any other.

export const tabIn = (hash) => hash.match(/^#(ask|explore|evaluate|simulate|teach)($|\?)/)?.[1] ?? "read";
