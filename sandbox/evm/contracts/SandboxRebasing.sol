// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./SandboxToken.sol";

/// A token whose balances have grown by a tenth, without a transfer. Its storage is that of `SandboxToken`, whose place its code can take.
contract SandboxRebasing is SandboxToken {
    constructor(string memory name_, string memory symbol_, uint8 decimals_, address owner_)
        SandboxToken(name_, symbol_, decimals_, owner_)
    {}

    function balanceOf(address account) public view override returns (uint256) {
        return super.balanceOf(account) * 11 / 10;
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        super._transfer(from, to, amount * 10 / 11);
    }
}
