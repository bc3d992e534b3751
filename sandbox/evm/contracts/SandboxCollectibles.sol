// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "@openzeppelin/contracts/access/Ownable.sol";
import "@openzeppelin/contracts/token/ERC721/extensions/ERC721Enumerable.sol";
import "./Drawing.sol";

/// An ERC-721 collection whose pictures are drawn on the chain.
contract SandboxCollectibles is ERC721Enumerable, Ownable {
    constructor(string memory name_, string memory symbol_, address owner_) ERC721(name_, symbol_) {
        _transferOwnership(owner_);
    }

    function mint(address to, uint256 id) external onlyOwner {
        _mint(to, id);
    }

    function tokenURI(uint256 id) public view override returns (string memory) {
        _requireMinted(id);
        return Drawing.metadata(name(), id);
    }
}
