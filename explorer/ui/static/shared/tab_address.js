// The tab that an address's fragment belongs to. Read's is empty, or any other.

export const tabOfHash = (hash) => hash.match(/^#(ask|explore|evaluate|simulate|teach)($|\?)/)?.[1] ?? "read";
